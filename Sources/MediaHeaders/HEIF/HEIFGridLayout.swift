/// The arrangement of tiles in the body of a 'grid' item (ISO 23008-12, 6.6.2.3.2).
struct HEIFGridLayout {
    let columns: Int
    let rows: Int
    /// The width of the joined image, in pixels.
    let width: Int
    let height: Int

    init(columns: Int, rows: Int, width: Int, height: Int) {
        self.columns = columns
        self.rows = rows
        self.width = width
        self.height = height
    }

    /// Reads the body of the item.
    ///
    /// - Throws: `truncated` if the item lies beyond the bytes, `malformed`, or `excessive` beyond
    ///   `HEIFImage.mostTiles`.
    init(_ extents: [Range<Int>], of bytes: Span<UInt8>) throws(MediaHeaderError) {
        // The body has at most 12 bytes, usually in one extent.
        var body: [Int] = []
        for extent in extents {
            for offset in extent.prefix(12 - body.count) {
                guard let byte = bytes.byte(at: offset) else { throw .truncated("the HEIF grid") }
                body.append(Int(byte))
            }
        }
        // The version is 0. If the first flag is set, the sizes have 32 bits.
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

/// A coded image of a HEIF file: the bytes that a decoder needs.
package struct HEIFTile: Sendable, Equatable {
    /// The body of hvcC or av1C, which a decoder needs before its packets, or of jpgC, with which the JPEG begins.
    /// `nil` for a whole JPEG.
    package var configuration: Range<Int>?
    /// The ranges of the file that make one packet, in this order. The ranges may lie beyond the end of a file whose
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
