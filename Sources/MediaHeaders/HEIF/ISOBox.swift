/// The header of a box (ISO 14496-12, 4.2): its type and the range of its body.
struct ISOBox: Equatable {
    let type: FourCharacterCode
    /// The range after size and type, clamped to the end of the parent. The version and flags of a full box are a part
    /// of this range.
    let body: Range<Int>
    /// Whether the parent ends before the end of the box.
    let isCut: Bool

    /// Reads the box at an offset of a parent that ends at `limit`; `nil` if too few bytes are left for a header.
    ///
    /// - Throws: `malformed` for a size that is smaller than the header.
    init?(at offset: Int, of bytes: Span<UInt8>, limit: Int) throws(MediaHeaderError) {
        guard offset <= limit - 8, let size = bytes.bigEndian32(at: offset), let type = bytes.code(at: offset + 4)
        else {
            return nil
        }
        self.type = type
        switch size {
        case 0:
            // The size 0 means that the box reaches to the end of the file. Only the last box of a file may have this
            // size.
            body = offset + 8..<limit
            isCut = false
        case 1:
            guard offset <= limit - 16, let high = bytes.bigEndian32(at: offset + 8),
                let low = bytes.bigEndian32(at: offset + 12)
            else { return nil }
            guard high > 0 || low >= 16 else { throw .malformed("size of a box \(type.text)") }
            // A size of 2⁶³ or more is beyond the end of each file, as `Int.max` is.
            let length = high > 0x7FFF_FFFF ? .max : high << 32 | low
            isCut = length > limit - offset
            body = offset + 16..<(isCut ? limit : offset + length)
        default:
            guard size >= 8 else { throw .malformed("size of a box \(type.text)") }
            isCut = size > limit - offset
            body = offset + 8..<(isCut ? limit : offset + size)
        }
    }
}
