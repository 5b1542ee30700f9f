/// The strips or tiles of a TIFF, and whether all of them are there.
package struct TIFFParts: Sendable, Equatable {
    /// More parts are no picture's: 65,536 tiles of 64 by 64 pixels are 268 megapixels.
    static let most = 65_536

    package let isTiled: Bool
    /// Pixels of a part. A tile has all of them, also beyond the picture's edge; the last strip may have fewer rows.
    package let width: Int
    package let height: Int
    /// Parts of a plane from left to right, and from top to bottom.
    package let columns: Int
    package let rows: Int
    /// The number of parts in all planes.
    package let count: Int
    /// The bytes of each part: row by row, one plane after the other. Empty if FFmpeg reads the file as a whole.
    package private(set) var ranges: [Range<Int>] = []
    private(set) var isComplete = true
    /// Bytes of the largest part when nothing is compressed.
    package let mostBytes: Int

    /// - Throws: `unsupported` for the LZW of before TIFF 6, `malformed` for tables of the wrong length and for parts
    ///   that overlap (FFmpeg takes no strips that are longer together than the file), `excessive`.
    init(
        _ fields: TIFFFields, width: Int, height: Int, samples: TIFFSamples, of tiff: Span<UInt8>
    ) throws(MediaHeaderError) {
        let tileTags: [TIFFTag] = [.tileWidth, .tileLength, .tileOffsets, .tileByteCounts]
        isTiled = tileTags.contains(where: fields.has)
        guard let offsets = fields.entry(isTiled ? .tileOffsets : .stripOffsets),
            let sizes = fields.entry(isTiled ? .tileByteCounts : .stripByteCounts), offsets.width > 0, sizes.width > 0
        else { throw .malformed("TIFF without strips") }
        (self.width, self.height) =
            isTiled
            ? try Self.tileSize(fields, of: tiff) : (width, try Self.rowsPerStrip(fields, height: height, of: tiff))
        columns = (width - 1) / self.width + 1
        rows = (height - 1) / self.height + 1
        let perPlane = columns.multipliedOrMax(by: rows)
        count = perPlane.multipliedOrMax(by: samples.isPlanar ? samples.count : 1)
        mostBytes = samples.partBytes(width: self.width, height: self.height)
        guard offsets.count >= count, sizes.count >= count else { throw .malformed("TIFF strips: not all listed") }
        let isAssembled = isTiled || samples.isAssembled
        if isAssembled, count > Self.most { throw .excessive("TIFF strips") }
        // The tables are as long as they have strips, so that the file's length bounds the loop.
        guard offsets.range.upperBound <= tiff.count, sizes.range.upperBound <= tiff.count else {
            isComplete = false
            return
        }
        var total = 0
        for index in 0..<count {
            guard let offset = offsets.value(index, of: tiff), let size = sizes.value(index, of: tiff), offset > 0
            else { throw .malformed("TIFF strip \(index)") }
            if index % perPlane == 0 { total = 0 }
            total += size
            guard total <= tiff.count else { throw .malformed("TIFF strips: longer than the file") }
            if size == 0 || offset > tiff.count - size { isComplete = false }
            let height = isTiled ? self.height : min(self.height, height - index % perPlane * self.height)
            if samples.compression == .none, size < samples.partBytes(width: self.width, height: height) {
                isComplete = false
            }
            if samples.compression == .lzw, tiff.byte(at: offset) == 0, (tiff.byte(at: offset + 1) ?? 0) & 1 == 1 {
                throw .unsupported("TIFF of LZW from before TIFF 6")
            }
            if isAssembled { ranges.append(offset..<offset + size) }
        }
    }

    private static func rowsPerStrip(
        _ fields: TIFFFields, height: Int, of tiff: Span<UInt8>
    ) throws(MediaHeaderError) -> Int {
        let said = try fields.number(.rowsPerStrip, of: tiff) ?? height
        return said == 0 ? height : min(said, height)
    }

    /// The sides are multiples of 16 (TIFF 6.0, section 15).
    private static func tileSize(
        _ fields: TIFFFields, of tiff: Span<UInt8>
    ) throws(MediaHeaderError) -> (Int, Int) {
        guard let width = try fields.number(.tileWidth, of: tiff),
            let height = try fields.number(.tileLength, of: tiff),
            width > 0, height > 0, width % 16 == 0, height % 16 == 0
        else { throw .malformed("TIFF tile size") }
        return (width, height)
    }
}
