/// An image of an icon file. Size and bits come from the image itself, because the directory is often wrong.
package struct ICOEntry: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        /// A whole PNG file. `PNGHeader` reads it from the range of the entry.
        case png
        case bitmap(ICOBitmap)
    }

    package var content: Content
    /// The width in pixels: 1…2³¹-1 for a PNG, 1…1,024 for a bitmap.
    package var width: Int
    package var height: Int
    /// The bits of a pixel.
    package var bitDepth: Int
    /// The range of the image, clamped to the end of the file.
    package var range: Range<Int>
    /// Whether the file has all bytes that the directory states.
    var isWhole: Bool

    /// Reads an entry of the directory, and the header of its image.
    ///
    /// - Parameter start: The offset of the entry, which has 16 bytes.
    /// - Throws: `truncated`, `malformed`, or `unsupported`.
    init(at start: Int, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        guard let count = bytes.littleEndian32(at: start + 8), let offset = bytes.littleEndian32(at: start + 12) else {
            throw .truncated("the icon directory")
        }
        guard offset < bytes.count, count > 0 else { throw .truncated("the icon file, before an image") }
        range = offset..<min(bytes.count, offset + count)
        isWhole = offset + count <= bytes.count
        guard bytes.bigEndian32(at: offset) == 0x8950_4E47 else {
            let bitmap = try ICOBitmap(range, of: bytes)
            content = .bitmap(bitmap)
            (width, height, bitDepth) = (bitmap.width, bitmap.height, bitmap.bitDepth)
            return
        }
        // The header chunk ends 33 bytes after the beginning of the PNG.
        let header = try PNGHeader(bytes.extracting(range.prefix(33)))
        content = .png
        width = header.width
        height = header.height
        bitDepth = header.bitDepth * header.colorType.samples
    }

    /// Returns whether the file has the whole image. For a PNG, the function walks all chunks.
    func isComplete(of bytes: Span<UInt8>) -> Bool {
        switch content {
        case .png: isWhole && (try? PNGHeader(bytes.extracting(range)))?.isComplete == true
        case .bitmap(let bitmap): bitmap.isComplete
        }
    }
}
