/// The boxes of one parent, one after the other. Each step moves on by eight bytes at least, so a walk is linear.
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

    /// The next box, or `nil` at the parent's end.
    ///
    /// - Throws: `malformed` for a size that cannot be.
    mutating func next(of bytes: Span<UInt8>) throws(MediaHeaderError) -> ISOBox? {
        guard let box = try ISOBox(at: offset, of: bytes, limit: end) else { return nil }
        offset = box.body.upperBound
        return box
    }

    /// The next box of a parent that is whole itself, so that a child that reaches beyond it is wrong.
    mutating func nextWhole(of bytes: Span<UInt8>) throws(MediaHeaderError) -> ISOBox? {
        guard let box = try next(of: bytes) else { return nil }
        guard !box.isCut else { throw .malformed("size of a box \(box.type.text)") }
        return box
    }
}
