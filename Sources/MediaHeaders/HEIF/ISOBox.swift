/// The head of one box (ISO 14496-12, 4.2): a type and where its body lies.
struct ISOBox: Equatable {
    let type: FourCharacterCode
    /// Behind size and type, the version and flags of full boxes included; never beyond the parent's end.
    let body: Range<Int>
    /// Whether the parent ends before the box does.
    let isCut: Bool

    /// The box at an offset of a parent that ends at `limit`, or `nil` when fewer than eight bytes are left.
    ///
    /// - Throws: `malformed` for a size that does not even cover the head.
    init?(at offset: Int, of bytes: Span<UInt8>, limit: Int) throws(MediaHeaderError) {
        guard offset <= limit - 8, let size = bytes.bigEndian32(at: offset), let type = bytes.code(at: offset + 4)
        else {
            return nil
        }
        self.type = type
        switch size {
        case 0:
            // Only the last box of a file may leave its end open.
            body = offset + 8..<limit
            isCut = false
        case 1:
            guard offset <= limit - 16, let high = bytes.bigEndian32(at: offset + 8),
                let low = bytes.bigEndian32(at: offset + 12)
            else { return nil }
            guard high > 0 || low >= 16 else { throw .malformed("size of a box \(type.text)") }
            // Beyond 2⁶³ as beyond every file.
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
