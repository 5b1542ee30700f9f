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

/// One coded picture of a HEIF file: what a decoder is given.
package struct HEIFTile: Sendable, Equatable {
    /// The body of hvcC or av1C, as it goes before a decoder's packets, or of jpgC, which the JPEG begins with; `nil` for
    /// a whole JPEG.
    package var configuration: Range<Int>?
    /// The ranges of the file that make one packet when they are joined in this order. Beyond the file's end when the
    /// header is not complete.
    package var extents: [Range<Int>]

    package init(configuration: Range<Int>?, extents: [Range<Int>]) {
        self.configuration = configuration
        self.extents = extents
    }

    package var byteCount: Int {
        extents.reduce(0) { $0.addedOrMax($1.count) }
    }
}
