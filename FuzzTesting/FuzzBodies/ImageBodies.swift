import Base
import MediaHeaders
import MediaTranscoder
import TestSupport

/// The targets for the headers of images. Sizes must be positive, and ranges must be within the file.
enum ImageBodies {
    static func png(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let header = try? PNGHeader(file: bytes) else { return }
        try requirePixels(header.width, header.height, header.decodedBytes)
        try require(header.frameCount > 0, "a PNG has a picture")
        let retained = try retained(header.kept, of: bytes)
        let copy = try unwrap(try? PNGHeader(file: retained), "a PNG without its metadata is a PNG")
        try require(!copy.hasMetadata, "a PNG without its metadata has none")
        try require(
            (copy.width, copy.height, copy.frameCount) == (header.width, header.height, header.frameCount),
            "a PNG without its metadata has the same pictures")
    }

    static func gif(_ bytes: [UInt8]) throws(FuzzFinding) {
        if let image = GIFFirstImage(bytes.span) {
            let all = image.area.width * image.area.height
            try require((0...all).contains(image.pixelCount(in: bytes.span)), "no more pixels are there than fit")
        }
        guard let header = try? GIFHeader(file: bytes) else { return }
        try requirePixels(header.width, header.height, header.decodedBytes)
        if let sides = GIFScreen.correction(of: bytes.span) {
            var corrected = bytes
            corrected.replaceSubrange(GIFScreen.offset..<GIFScreen.offset + 4, with: sides)
            let screen = try unwrap(try? GIFHeader(file: corrected), "a GIF whose screen is corrected is a GIF")
            try require(
                screen.width >= header.width && screen.height >= header.height, "the screen of a GIF only grows")
        }
        try require(header.frameCount > 0 && header.durationMilliseconds >= 0, "a GIF has a picture")
        let retained = try retained(header.kept, of: bytes)
        let copy = try unwrap(try? GIFHeader(file: retained), "a GIF without its metadata is a GIF")
        try require(!copy.hasMetadata || !header.isComplete, "a complete GIF without its metadata has none")
        try require(
            (copy.width, copy.height, copy.frameCount) == (header.width, header.height, header.frameCount),
            "a GIF without its metadata has the same pictures")
        try require(copy.isComplete || !header.isComplete, "a complete GIF is complete without its metadata")
        var correction = GIFFrameCorrection(removesBackground: true)
        guard let first = try? GIFHeader(file: correction.frame(bytes.span) + [0x3B]) else {
            throw FuzzFinding("the first frame of a GIF without its background is a GIF")
        }
        try require(
            (first.width, first.height, first.frameCount) == (header.width, header.height, 1),
            "the first frame of a GIF without its background is one frame")
    }

    static func webp(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let header = try? WebPHeader(file: bytes) else { return }
        try requirePixels(header.width, header.height, header.decodedBytes)
        try require(
            header.frameCount > 0 && header.times.delays.allSatisfy { $0 > 0 }, "the frames of a WebP have durations")
    }

    static func bmp(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let header = try? BMPHeader(file: bytes) else { return }
        try requirePixels(header.width, header.height, header.decodedBytes)
        try require(header.rowBytes > 0, "a row of a BMP has bytes")
        for range in [header.pixelArray, header.palette, header.profile] {
            try require(range?.upperBound ?? 0 <= bytes.count, "the parts of a BMP lie in the file")
        }
        guard header.masks != nil, header.isComplete else { return }
        let bitmap = try unwrap(MaskedBitmap(header, of: bytes.span), "a complete BMP with masks is drawn")
        var row = [UInt8](repeating: 0, count: header.width * (bitmap.hasAlpha ? 4 : 3))
        var target = row.mutableSpan
        for number in [0, header.height - 1] { bitmap.draw(row: number, of: bytes.span, into: &target, at: 0) }
    }

    static func ico(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let header = try? ICOHeader(file: bytes) else { return }
        try requirePixels(header.width, header.height, header.decodedBytes)
        try require(header.entries.contains(header.best), "the best icon is one of the file's")
        for entry in header.entries {
            try require(entry.width > 0 && entry.height > 0, "each icon has pixels")
            try require(entry.range.upperBound <= bytes.count, "each icon lies in the file")
            guard case .bitmap(let bitmap) = entry.content else { continue }
            guard let image = try? ICOImage(bitmap, of: bytes.span) else {
                try require(!bitmap.isComplete, "a complete bitmap of an icon is drawn")
                continue
            }
            try require(
                image.pixels.count == 4 * bitmap.width * bitmap.height, "a bitmap of an icon is drawn as a whole")
        }
    }

    static func requirePixels(_ width: Int, _ height: Int, _ decodedBytes: Int) throws(FuzzFinding) {
        try require(width > 0 && height > 0, "an image has pixels")
        try require(decodedBytes > 0, "a decoded image has bytes")
    }

    /// Returns a copy of a file without its metadata.
    static func retained(_ parts: RetainedRanges, of bytes: [UInt8]) throws(FuzzFinding) -> [UInt8] {
        var file: [UInt8] = []
        var end = 0
        for range in parts.ranges {
            try require(
                !range.isEmpty && range.lowerBound >= end && range.upperBound <= bytes.count,
                "retained parts lie in the file in their order")
            file += bytes[range]
            end = range.upperBound
        }
        file += parts.ending
        try require(file.count == parts.byteCount, "the size of the copy is the sum of its parts")
        try require(!parts.isWhole(of: bytes.count) || file == bytes, "a whole copy is the file itself")
        return file
    }
}
