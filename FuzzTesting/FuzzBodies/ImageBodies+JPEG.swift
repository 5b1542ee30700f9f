import MediaHeaders
import MediaTranscoder
import TestSupport

extension ImageBodies {
    /// The number of pixels of the largest image whose coefficients are read.
    private static let maxPixels = 1 << 20

    static func jpeg(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let header = try? JPEGHeader(file: bytes) else { return }
        try requirePixels(header.width, header.height, header.decodedBytes)
        try require(header.coefficientBytes >= 0, "coefficients have a size")
        try require((1...4).contains(header.components.count), "a JPEG has one to four components")
        for range in header.segments.map(\.body) + header.colorProfile {
            try require(range.upperBound <= bytes.count, "the segments of a JPEG lie in the file")
        }
        for scan in header.scans { try require(scan.end <= bytes.count, "the scans of a JPEG lie in the file") }
        let retained = try retained(header.kept, of: bytes)
        let copy = try unwrap(try? JPEGHeader(file: retained), "a JPEG without its metadata is a JPEG")
        try require(!copy.hasMetadata, "a JPEG without its metadata has none")
        try require(
            (copy.width, copy.height, copy.scanCount) == (header.width, header.height, header.scanCount),
            "a JPEG without its metadata has the same scans")
        try draw(header, of: bytes)
    }

    private static func draw(_ header: JPEGHeader, of bytes: [UInt8]) throws(FuzzFinding) {
        for halvings in 1...3 {
            let end = header.endOfScans(forHalvings: halvings)
            try require(end ?? 0 <= bytes.count, "the needed scans lie in the file")
        }
        guard header.pixels <= maxPixels else { return }
        let rows = IntactRows(header, of: bytes.span)
        try require(
            rows.count >= 0 && rows.count <= rows.end && rows.end <= header.height,
            "no more rows are intact than there are")
        for halvings in 2...3 {
            guard let image = ReducedSizeDecoder(header, of: bytes.span, halvings: halvings) else { continue }
            try require(image.planes.count == header.components.count, "each component has a plane")
            for plane in image.planes {
                try require(plane.width > 0 && plane.height > 0, "a plane has samples")
                try require(plane.samples.count == plane.width * plane.height, "a plane is drawn as a whole")
            }
        }
    }
}
