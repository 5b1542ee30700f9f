/// The lines of a text that arrives in pieces. The buffer holds at most one line and one piece.
package struct LineBuffer: Sendable {
    package enum Line: Sendable, Equatable {
        case whole([UInt8])
        /// A line that is too long. Its bytes are discarded.
        case tooLong
    }

    /// The length of the longest line without its end, in bytes.
    private let maxLength: Int
    private var bytes: [UInt8] = []
    /// The position of the first byte that no line has.
    private var start = 0
    /// The position up to which no line ends.
    private var scanned = 0
    /// Whether the bytes up to the next end of a line are discarded.
    private var isDiscarding = false

    /// - Parameter longest: The length of the longest line without its end, in bytes.
    package init(maxLength: Int) { self.maxLength = maxLength }

    package mutating func append(_ piece: [UInt8]) {
        if start > 0 {
            bytes.removeFirst(start)
            scanned -= start
            start = 0
        }
        bytes += piece
    }

    /// Returns the next line without its end; `nil` if its end has not arrived.
    package mutating func next() -> Line? {
        guard let end = bytes[scanned...].firstIndex(of: UInt8(ascii: "\n")) else {
            scanned = bytes.count
            if bytes.count - start > maxLength {
                isDiscarding = true
                start = bytes.count
            }
            return nil
        }
        return line(to: end, next: end + 1)
    }

    /// Returns the line after the last end of a line, when no more pieces arrive; `nil` if there are no such bytes.
    package mutating func last() -> Line? {
        start < bytes.count || isDiscarding ? line(to: bytes.count, next: bytes.count) : nil
    }

    private mutating func line(to end: Int, next: Int) -> Line {
        defer {
            start = next
            scanned = next
            isDiscarding = false
        }
        return isDiscarding || end - start > maxLength ? .tooLong : .whole(Array(bytes[start..<end]))
    }
}
