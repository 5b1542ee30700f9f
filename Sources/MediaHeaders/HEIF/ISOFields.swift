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

    var isAtEnd: Bool {
        offset >= end
    }

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
    mutating func versionAndFlags(
        of bytes: Span<UInt8>
    ) throws(MediaHeaderError) -> (version: Int, flags: Int) {
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
