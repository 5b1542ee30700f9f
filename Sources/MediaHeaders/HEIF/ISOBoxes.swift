/// The boxes of one parent in their order. Each step advances by at least eight bytes, so a walk takes linear time.
struct ISOBoxes {
    private var offset: Int
    private let end: Int

    init(_ body: Range<Int>) {
        offset = body.lowerBound
        end = body.upperBound
    }

    var isAtEnd: Bool {
        offset >= end
    }

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
