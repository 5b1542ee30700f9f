/// One picture of an icon file. The directory's own words on size and bits are often wrong, so that these are the
/// content's.
package struct ICOEntry: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        /// A whole PNG file, which `PNGHeader` reads from the entry's range.
        case png
        case bitmap(ICOBitmap)
    }

    package var content: Content
    /// Pixels, 1…2³¹-1 of a PNG, 1…1,024 of a bitmap.
    package var width: Int
    package var height: Int
    /// Bits of a pixel.
    package var bitDepth: Int
    /// Where the content stands, ending with the file at the latest.
    package var range: Range<Int>
    /// Whether the file has all bytes that the directory says.
    var isWhole: Bool

    /// - Parameter start: of the 16 bytes in the directory.
    /// - Throws: `truncated`, `malformed`, `unsupported`.
    init(at start: Int, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        guard let count = bytes.littleEndian32(at: start + 8), let offset = bytes.littleEndian32(at: start + 12) else {
            throw .truncated("the icon directory")
        }
        guard offset < bytes.count, count > 0 else { throw .truncated("the icon file, before a picture") }
        range = offset..<min(bytes.count, offset + count)
        isWhole = offset + count <= bytes.count
        guard bytes.bigEndian32(at: offset) == 0x8950_4E47 else {
            let bitmap = try ICOBitmap(range, of: bytes)
            content = .bitmap(bitmap)
            width = bitmap.width
            height = bitmap.height
            bitDepth = bitmap.bitDepth
            return
        }
        // The signature and the header chunk: 33 bytes.
        let header = try PNGHeader(bytes.extracting(range.prefix(33)))
        content = .png
        width = header.width
        height = header.height
        bitDepth = header.bitDepth * header.colorType.samples
    }

    /// Whether all of the picture is there. Of a PNG this walks all chunks.
    func isComplete(of bytes: Span<UInt8>) -> Bool {
        switch content {
        case .png: isWhole && (try? PNGHeader(bytes.extracting(range)))?.isComplete == true
        case .bitmap(let bitmap): bitmap.isComplete
        }
    }
}
