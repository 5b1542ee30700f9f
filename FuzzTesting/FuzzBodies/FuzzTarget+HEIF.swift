import Base
import MediaHeaders
import TestSupport

extension FuzzTarget {
    /// Checks that the first bytes of the file alone result in the same signature.
    static func sniffer(_ bytes: [UInt8]) throws(FuzzFinding) {
        let signature = MediaSignature.of(file: bytes)
        let head = Array(bytes.prefix(MediaSignature.wantedBytes))
        try require(MediaSignature.of(file: head) == signature, "the first bytes suffice to know the format")
        if let signature { try require(!signature.phrase.isEmpty, "each format has a name") }
        _ = ImageOrientation.inExif(file: bytes)
    }

    /// Reads the boxes of a HEIC or AVIF file that describe images.
    static func heif(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let header = try? HEIFHeader(file: bytes) else { return }
        try ImageBodies.requirePixels(header.width, header.height, header.decodedBytes)
        try require(header.thumbnails.count <= HEIFHeader.maxThumbnails, "thumbnails are limited")
        let images = [header.image] + header.thumbnails + (header.alpha.map { [$0] } ?? [])
        for image in images { try requireInside(image, isComplete: header.isComplete, byteCount: bytes.count) }
    }

    /// Checks that the parts of an image are within the file.
    ///
    /// - Parameter byteCount: The size of the file, in bytes.
    private static func requireInside(
        _ image: HEIFImage, isComplete: Bool, byteCount: Int
    ) throws(FuzzFinding) {
        let sides = 1...HEIFImage.maxSide
        for side in [image.width, image.height, image.tileWidth, image.tileHeight] {
            try require(sides.contains(side), "the sides of an image are limited")
        }
        try require(
            image.tiles.count == image.columns * image.rows && image.tiles.count <= HEIFImage.maxTiles,
            "each place of a grid has a tile")
        let crop = image.framing.crop
        try require(
            crop.x >= 0 && crop.y >= 0 && crop.width > 0 && crop.height > 0
                && crop.x + crop.width <= image.width && crop.y + crop.height <= image.height,
            "a crop lies in the image")
        try require(image.profile?.upperBound ?? 0 <= byteCount, "a profile lies in the file")
        for tile in image.tiles {
            try require(
                tile.configuration?.upperBound ?? 0 <= byteCount, "a configuration lies in the file")
            guard isComplete else { continue }
            try require(
                tile.extents.allSatisfy { $0.upperBound <= byteCount }, "the extents of a complete file lie in it")
        }
    }
}
