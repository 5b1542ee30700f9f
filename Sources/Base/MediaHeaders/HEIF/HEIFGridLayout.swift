import Base

/// The arrangement of tiles in the body of a 'grid' item (ISO 23008-12, 6.6.2.3.2).
struct HEIFGridLayout {
    let columns: Int
    let rows: Int
    /// The width of the joined image, in pixels.
    let width: Int
    let height: Int
}

extension HEIFGridLayout {
    /// Reads the body of the item.
    ///
    /// - Throws: `truncated` if the item lies beyond the bytes, `malformed`, or `excessive` beyond `maxTiles`.
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
        self.init(
            columns: body[3] + 1, rows: body[2] + 1, width: body[4..<4 + sizeBytes].reduce(0) { $0 << 8 | $1 },
            height: body[4 + sizeBytes..<4 + 2 * sizeBytes].reduce(0) { $0 << 8 | $1 })
        guard rows * columns <= HEIFImage.maxTiles else { throw .excessive("HEIF tiles") }
        guard HEIFImage.accepts(PixelSize(width: width, height: height)) else { throw .malformed("HEIF grid size") }
    }
}

/// A coded image of a HEIF file: the bytes that a decoder needs.
package struct HEIFTile: Sendable, Equatable {
    /// The body of hvcC or av1C, which precedes the packets, or of jpgC, which begins a JPEG; `nil` for a whole JPEG.
    package var configuration: Range<Int>?
    /// The ranges of the file that make one packet, in this order. They may lie beyond the end of an incomplete file.
    package var extents: [Range<Int>]

    package var byteCount: Int { extents.reduce(0) { $0.addedOrMax($1.count) } }
}
