/// The lines of the body of a call, in their order.
struct WarmLines {
    private let body: [UInt8]
    private var position = 0
    /// The position of the line that `next` returned last.
    private var start = 0
    /// The number of this line, from 1.
    private(set) var number = 0

    init(_ body: [UInt8]) { self.body = body }

    /// Returns the next line without its end; `nil` after the last line.
    mutating func next() -> ArraySlice<UInt8>? {
        guard position < body.count else { return nil }
        let end = body[position...].firstIndex(of: UInt8(ascii: "\n")) ?? body.count
        start = position
        position = min(end + 1, body.count)
        number += 1
        return body[start..<end]
    }

    /// Makes `next` return the last line again.
    mutating func unread() {
        position = start
        number -= 1
    }
}
