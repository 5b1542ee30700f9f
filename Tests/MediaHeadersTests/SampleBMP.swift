/// A BMP that is written field by field. `headerBytes` decides which fields the header has.
struct SampleBMP {
    var headerBytes = 40
    var width = 4
    var height = 3
    var planes = 1
    var bitDepth = 24
    var compression = 0
    var colorsUsed = 0
    var masks: [Int] = []
    var palette: [UInt8] = []
    /// The pixels after header, masks and palette. If `nil`, there are as many bytes as the rows need.
    var pixels: [UInt8]?
    /// The size in the file header. If `nil`, the header states the true size.
    var declaredBytes: Int?
    var pixelOffset: Int?
    /// Bytes that replace those of the bitmap header at an offset.
    var patches: [(offset: Int, bytes: [UInt8])] = []

    static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// The bitmap header with masks and palette, without the pixels.
    var dib: [UInt8] {
        var header =
            headerBytes == 12
            ? Self.little(12, 4) + Self.little(width, 2) + Self.little(height, 2) + Self.little(planes, 2)
                + Self.little(bitDepth, 2)
            : Self.little(headerBytes, 4) + Self.little(width, 4) + Self.little(height, 4) + Self.little(planes, 2)
                + Self.little(bitDepth, 2) + Self.little(compression, 4) + [UInt8](repeating: 0, count: 12)
                + Self.little(colorsUsed, 4) + [0, 0, 0, 0]
        header += masks.flatMap { Self.little($0, 4) }
        if header.count < headerBytes { header += [UInt8](repeating: 0, count: headerBytes - header.count) }
        for patch in patches {
            header.replaceSubrange(patch.offset..<patch.offset + patch.bytes.count, with: patch.bytes)
        }
        return header + palette
    }

    var rowBytes: Int { (max(0, width) * bitDepth + 31) / 32 * 4 }

    var bytes: [UInt8] {
        let head = dib
        let data = pixels ?? [UInt8](repeating: 7, count: rowBytes * abs(height))
        let offset = 14 + head.count
        return Array("BM".utf8) + Self.little(declaredBytes ?? offset + data.count, 4) + [0, 0, 0, 0]
            + Self.little(pixelOffset ?? offset, 4) + head + data
    }
}
