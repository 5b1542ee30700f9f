/// The boxes of one parent in their order. Each step advances by at least eight bytes, so a walk takes linear time.
struct ISOBoxes {
    private var offset: Int
    private let end: Int

    init(_ body: Range<Int>) {
        offset = body.lowerBound
        end = body.upperBound
    }

    var isAtEnd: Bool { offset >= end }

    /// Returns the next box; `nil` at the end of the parent.
    ///
    /// - Throws: `malformed` for an impossible size.
    mutating func next(of bytes: Span<UInt8>) throws(MediaHeaderError) -> ISOBox? {
        guard let box = try ISOBox(at: offset, of: bytes, limit: end) else { return nil }
        offset = box.body.upperBound
        return box
    }

    /// Returns the next box of a complete parent; `nil` at the end of the parent.
    ///
    /// - Throws: `malformed` for an impossible size, or for a box that reaches beyond the parent.
    mutating func nextWhole(of bytes: Span<UInt8>) throws(MediaHeaderError) -> ISOBox? {
        guard let box = try next(of: bytes) else { return nil }
        guard !box.isCut else { throw .malformed("size of a box \(box.type.text)") }
        return box
    }
}

/// The header of a box (ISO 14496-12, 4.2): its type and the range of its body.
struct ISOBox: Equatable {
    let type: FourCharacterCode
    /// The range after size and type, clamped to the end of the parent. Version and flags are a part of it.
    let body: Range<Int>
    /// Whether the parent ends before the end of the box.
    let isCut: Bool

    /// Reads the box at an offset of a parent that ends at `limit`; `nil` if too few bytes are left for a header.
    ///
    /// - Throws: `malformed` for a size that is smaller than the header.
    init?(at offset: Int, of bytes: Span<UInt8>, limit: Int) throws(MediaHeaderError) {
        guard offset <= limit - 8, let size = bytes.bigEndian32(at: offset), let type = bytes.code(at: offset + 4)
        else { return nil }
        self.type = type
        switch size {
        case 0:
            // The size 0, which only the last box may have, means that the box reaches to the end of the file.
            body = offset + 8..<limit
            isCut = false
        case 1:
            guard offset <= limit - 16, let stated = bytes.bigEndian64(at: offset + 8) else { return nil }
            // A size of 2⁶³ or more is beyond the end of each file, as `Int.max` is.
            let length = stated < 0 ? .max : stated
            guard length >= 16 else { throw .malformed("size of a box \(type.text)") }
            isCut = length > limit - offset
            body = offset + 16..<(isCut ? limit : offset + length)
        default:
            guard size >= 8 else { throw .malformed("size of a box \(type.text)") }
            isCut = size > limit - offset
            body = offset + 8..<(isCut ? limit : offset + size)
        }
    }
}

/// The fields of a box body, read one after another.
struct ISOFields {
    private(set) var offset: Int
    private let end: Int
    /// The name of the part, for the text of an error.
    private let part: String

    init(_ body: Range<Int>, part: String) {
        offset = body.lowerBound
        end = body.upperBound
        self.part = part
    }

    var isAtEnd: Bool { offset >= end }

    /// Returns a big-endian number of 0, 1, 2, 4 or 8 bytes. A number of 0 bytes is 0.
    ///
    /// - Throws: `malformed` after the end of the body, or for a number of 2⁶³ or more.
    mutating func number(_ byteCount: Int, of bytes: Span<UInt8>) throws(MediaHeaderError) -> Int {
        guard byteCount <= end - offset else { throw .malformed(part) }
        var value: UInt64 = 0
        for index in 0..<byteCount { value = value << 8 | UInt64(bytes[offset + index]) }
        offset += byteCount
        guard let number = Int(exactly: value) else { throw .malformed("\(part): a number of 2^63 or more") }
        return number
    }

    mutating func code(of bytes: Span<UInt8>) throws(MediaHeaderError) -> FourCharacterCode {
        FourCharacterCode(rawValue: UInt32(try number(4, of: bytes)))
    }

    /// Returns version and flags of a full box (ISO 14496-12, 4.2).
    mutating func versionAndFlags(of bytes: Span<UInt8>) throws(MediaHeaderError) -> (version: Int, flags: Int) {
        let word = try number(4, of: bytes)
        return (word >> 24, word & 0xFF_FFFF)
    }

    /// Skips a number of bytes.
    ///
    /// - Throws: `malformed` after the end of the body.
    mutating func skip(_ byteCount: Int) throws(MediaHeaderError) {
        guard byteCount <= end - offset else { throw .malformed(part) }
        offset += byteCount
    }
}
