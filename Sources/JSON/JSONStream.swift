/// JSON values that arrive in pieces: one in a file, or one after the other for as long as somebody writes.
///
/// An array is the same as its elements one after the other, so that a file may hold either. An empty one comes out as it
/// is.
///
/// A value comes out as soon as its last byte is there. What is no JSON is told once, and reading goes on at the next
/// line that begins with `{`: one bad line of many loses no other.
package struct JSONStream {
    package enum Step: Sendable, Equatable {
        case value(JSONValue)
        case problem(JSONSyntaxError)
        /// Nothing more in what has arrived.
        case needsMore
    }

    private var bytes: [UInt8] = []
    /// The elements of the last array that have not come out yet.
    private var elements: ArraySlice<(value: JSONValue, line: Int)> = []
    /// Of `bytes`: what is read already.
    private var position = 0
    /// The line and the column of `position`.
    private var (line, column) = (1, 1)
    /// The line on which the value begins that came out last.
    package private(set) var valueLine = 1
    /// Whether further bytes may make a byte order mark of the first ones.
    private var isFresh = true
    /// Behind something that is no JSON.
    private var isSkipping = false
    /// A value of megabytes is tried again only when it has grown by half: each try reads it from its beginning.
    private var nextTry = 0
    private static let patience = 1 << 20

    package init() {}

    /// Bytes of a value that is not complete yet.
    package var pendingBytes: Int { bytes.count - position }

    package mutating func append(_ more: some Sequence<UInt8>) {
        forgetWhatIsRead()
        bytes += more
        guard isFresh else { return }
        position = JSONParser.byteOrderMark(of: bytes)
        isFresh = position == 0 && JSONParser.byteOrderMark.starts(with: bytes)
    }

    /// - Parameter isAtEnd: nothing will be appended any more.
    package mutating func next(isAtEnd: Bool) -> Step {
        if isFresh, !isAtEnd { return .needsMore }
        if let element = nextElement() { return .value(element) }
        if isSkipping { skip() }
        if isSkipping || (!isAtEnd && pendingBytes > Self.patience && pendingBytes < nextTry) { return .needsMore }
        nextTry = pendingBytes + pendingBytes / 2
        var parser = JSONParser(bytes, from: position, line: line, column: column)
        do throws(JSONSyntaxError) {
            let value = try parser.next()
            // A number at the end of a piece may go on in the next one; nothing else may.
            if !isAtEnd, parser.isAtLastByte, case .number = value { return .needsMore }
            if value != nil {
                valueLine = line + bytes[position...].prefix(while: Self.isSpace).count(where: Self.isLineEnd)
            }
            if let array = value?.array {
                let lines = ElementLines.lines(in: bytes[position..<parser.position], from: line)
                elements = zip(array, lines).map { (value: $0, line: $1) }[...]
            }
            advance(to: parser.position)
            if let element = nextElement() { return .value(element) }
            return value.map { .value($0) } ?? .needsMore
        } catch {
            if !isAtEnd, parser.isAtLastByte { return .needsMore }
            isSkipping = true
            // Not the line end in front of what is wrong: the search would find the same line again.
            advance(to: bytes[position...].firstIndex { !Self.isSpace($0) } ?? bytes.count)
            return .problem(error)
        }
    }

    private mutating func nextElement() -> JSONValue? {
        guard let element = elements.popFirst() else { return nil }
        valueLine = element.line
        return element.value
    }

    /// Goes to the beginning of the next line that can be an object of its own; inner lines are indented or begin
    /// otherwise.
    private mutating func skip() {
        while let lineEnd = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) {
            // Whether the next line is one is seen with its first byte.
            guard lineEnd + 1 < bytes.count else { return advance(to: lineEnd) }
            advance(to: lineEnd + 1)
            if bytes[position] == UInt8(ascii: "{") {
                isSkipping = false
                return
            }
        }
        advance(to: bytes.count)
    }

    private mutating func advance(to place: Int) {
        let read = bytes[position..<place]
        line += read.count(where: Self.isLineEnd)
        column = place - (read.lastIndex(where: Self.isLineEnd) ?? position - column)
        position = place
    }

    private static func isSpace(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }
    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") }

    /// Drops what is read, seldom enough to cost nothing.
    private mutating func forgetWhatIsRead() {
        guard position > bytes.count / 2, position > 0 else { return }
        bytes.removeFirst(position)
        position = 0
    }
}
