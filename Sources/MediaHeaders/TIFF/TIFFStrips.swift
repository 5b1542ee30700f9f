/// The strips of a TIFF, and whether all of them are there.
struct TIFFStrips {
    private(set) var count = 0
    private(set) var isComplete = true
    /// Bytes of the largest strip when nothing is compressed.
    private(set) var mostBytes = 0

    /// - Throws: `unsupported` for tiles, which FFmpeg 5.1 leaves black without an error, and for the LZW of before TIFF 6;
    ///   `malformed` for tables of the wrong length and for strips that overlap (FFmpeg takes none that are longer
    ///   together than the file).
    init(
        _ fields: TIFFFields, width: Int, height: Int, samples: TIFFSamples, of tiff: Span<UInt8>
    ) throws(MediaHeaderError) {
        let tileTags: [TIFFTag] = [.tileWidth, .tileLength, .tileOffsets, .tileByteCounts]
        guard !tileTags.contains(where: fields.has) else { throw .unsupported("tiled TIFF") }
        guard let offsets = fields.entry(.stripOffsets), let sizes = fields.entry(.stripByteCounts),
            offsets.width > 0, sizes.width > 0
        else { throw .malformed("TIFF without strips") }
        let said = try fields.number(.rowsPerStrip, of: tiff) ?? height
        let rows = said == 0 ? height : min(said, height)
        let perPlane = (height - 1) / rows + 1
        count = perPlane * (samples.isPlanar ? samples.count : 1)
        guard offsets.count >= count, sizes.count >= count else { throw .malformed("TIFF strips: not all listed") }
        // The tables are as long as they have strips, so that the file's length bounds the loop.
        guard offsets.range.upperBound <= tiff.count, sizes.range.upperBound <= tiff.count else {
            isComplete = false
            return
        }
        let rowBits = width.multipliedOrMax(by: samples.bitDepth * (samples.isPlanar ? 1 : samples.count))
        let rowBytes = rowBits.addedOrMax(7) / 8
        mostBytes = rowBytes.multipliedOrMax(by: rows)
        var total = 0
        for index in 0..<count {
            guard let offset = offsets.value(index, of: tiff), let size = sizes.value(index, of: tiff), offset > 0
            else { throw .malformed("TIFF strip \(index)") }
            if index % perPlane == 0 { total = 0 }
            total += size
            guard total <= tiff.count else { throw .malformed("TIFF strips: longer than the file") }
            if size == 0 || offset > tiff.count - size { isComplete = false }
            let height = min(rows, height - index % perPlane * rows)
            if samples.compression == .none, size < rowBytes.multipliedOrMax(by: height) { isComplete = false }
            if samples.compression == .lzw, tiff.byte(at: offset) == 0, (tiff.byte(at: offset + 1) ?? 0) & 1 == 1 {
                throw .unsupported("TIFF of LZW from before TIFF 6")
            }
        }
    }
}
