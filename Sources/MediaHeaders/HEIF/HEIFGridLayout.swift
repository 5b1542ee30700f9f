/// How tiles are joined: the body of a 'grid' item (ISO 23008-12, 6.6.2.3.2).
struct HEIFGridLayout {
    let columns: Int
    let rows: Int
    /// Pixels of the joined picture.
    let width: Int
    let height: Int

    init(columns: Int, rows: Int, width: Int, height: Int) {
        self.columns = columns
        self.rows = rows
        self.width = width
        self.height = height
    }

    /// - Throws: `truncated` when the item lies beyond the bytes, `malformed`, `excessive` beyond `HEIFImage.mostTiles`.
    init(_ extents: [Range<Int>], of bytes: Span<UInt8>) throws(MediaHeaderError) {
        // At most 12 bytes, usually in one extent.
        var body: [Int] = []
        for extent in extents {
            for offset in extent.prefix(12 - body.count) {
                guard let byte = bytes.byte(at: offset) else { throw .truncated("the HEIF grid") }
                body.append(Int(byte))
            }
        }
        // Version 0; the first flag makes the sizes 32 bits wide.
        guard body.count >= 8, body[0] == 0 else { throw .malformed("HEIF grid") }
        let sizeBytes = body[1] & 1 == 0 ? 2 : 4
        guard body.count >= 4 + 2 * sizeBytes else { throw .malformed("HEIF grid") }
        rows = body[2] + 1
        columns = body[3] + 1
        width = body[4..<4 + sizeBytes].reduce(0) { $0 << 8 | $1 }
        height = body[4 + sizeBytes..<4 + 2 * sizeBytes].reduce(0) { $0 << 8 | $1 }
        guard rows * columns <= HEIFImage.mostTiles else { throw .excessive("HEIF tiles") }
        guard (1...HEIFImage.mostSide).contains(width), (1...HEIFImage.mostSide).contains(height) else {
            throw .malformed("HEIF grid size")
        }
    }
}
