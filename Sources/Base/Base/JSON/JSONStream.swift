/// A stream of JSON values that arrive in pieces: one value in a file, or one after another until the writer ends.
///
/// The elements of an array are returned one by one, so a file may hold either. An empty array is a value.
///
/// A value is returned as soon as its last byte has arrived. An error is returned once. Reading then continues at the
/// next line that begins with `{`, so one bad line does not lose the lines after it.
package struct JSONStream {
    package enum Step: Sendable, Equatable {
        case value(JSONValue)
        case problem(JSONSyntaxError)
        /// No further value is complete in the bytes that have arrived.
        case needsMore
    }

    private var bytes: [UInt8] = []
    /// The elements of the last array that are not yet returned.
    private var elements: ArraySlice<(value: JSONValue, line: Int)> = []
    /// The number of bytes of `bytes` that are already read.
    private var position = 0
    /// The line and the column of `position`.
    private var (line, column) = (1, 1)
    /// The line number on which the last returned value begins.
    package private(set) var valueLine = 1
    /// Whether more bytes may complete a byte order mark at the beginning.
    private var isFresh = true
    /// Whether an error was found, and the next line that begins with `{` is not yet reached.
    private var isSkipping = false
    /// The number of pending bytes at which a large value is parsed again. Each attempt parses the value from its
    /// beginning, so values of more than `patience` bytes are parsed again only after they have grown by half.
    private var nextTry = 0
    private static let patience = 1 << 20

    package init() {}

    /// The number of bytes of a value that is not complete yet.
    package var pendingBytes: Int { bytes.count - position }

    package mutating func append(_ more: some Sequence<UInt8>) {
        forgetWhatIsRead()
        bytes += more
        guard isFresh else { return }
        position = JSONParser.byteOrderMark(of: bytes)
        isFresh = position == 0 && JSONParser.byteOrderMark.starts(with: bytes)
    }

    /// Returns the next value, the next error, or `needsMore`. At the end, no more bytes will be appended.
    package mutating func next(isAtEnd: Bool) -> Step {
        if isFresh, !isAtEnd { return .needsMore }
        if let element = nextElement() { return .value(element) }
        if isSkipping { skip() }
        if isSkipping || (!isAtEnd && pendingBytes > Self.patience && pendingBytes < nextTry) { return .needsMore }
        nextTry = pendingBytes + pendingBytes / 2
        var parser = JSONParser(bytes, from: position, line: line, column: column)
        do throws(JSONSyntaxError) {
            let value = try parser.next()
            // A number at the end of a piece may continue in the next piece; any other value is complete.
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
            // The line end before the error is skipped as well. Otherwise, the search would find the same line again.
            advance(to: bytes[position...].firstIndex { !Self.isSpace($0) } ?? bytes.count)
            return .problem(error)
        }
    }

    private mutating func nextElement() -> JSONValue? {
        guard let element = elements.popFirst() else { return nil }
        valueLine = element.line
        return element.value
    }

    /// Skips to the next line that may begin an object. Lines within an object do not begin with `{`.
    private mutating func skip() {
        while let lineEnd = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) {
            // The first byte of the next line decides whether an object begins there. This byte has not arrived yet.
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

    /// Removes the bytes that are read, when they are more than half. Each byte is then moved less than once.
    private mutating func forgetWhatIsRead() {
        guard position > bytes.count / 2, position > 0 else { return }
        bytes.removeFirst(position)
        position = 0
    }
}
