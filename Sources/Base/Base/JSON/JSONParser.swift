/// A syntax error: the reason why a text is not JSON, and the position of the error.
package struct JSONSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
    package var line: Int
    package var column: Int
    package var problem: String
    /// The name of the text's compression; `nil` if the text is not compressed, or if its compression is unknown.
    package var compression: String?

    package var description: String { "line \(line), column \(column): \(problem)" }
}

/// A parser of JSON values, one after another, from UTF-8 bytes (RFC 8259).
///
/// The grammar is strict, and the depth is bounded. The parser is lenient if the standard leaves a choice:
///
/// - Repeated keys are kept, and the last value takes precedence.
/// - A lone surrogate becomes U+FFFD.
/// - Numbers of any size keep their digits.
/// - A byte order mark is skipped.
package struct JSONParser {
    /// The maximum nesting depth of arrays and objects. The deepest payload of a known provider has 8 levels.
    package static let deepestNesting = 128

    /// The maximum number of letters of a wrong word that an error repeats.
    private static let maxShown = 32
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    private let bytes: [UInt8]
    private let textStart: Int
    private let firstLine: Int
    private let firstColumn: Int
    /// The offset of the next byte to be read. After an error, it is the offset of the wrong byte.
    private(set) var position: Int
    private var endsInWord = false

    /// Whether more bytes could correct an error, or continue a value.
    var isAtLastByte: Bool { position == bytes.count || endsInWord }

    package init(_ bytes: [UInt8]) {
        self.init(bytes, from: Self.byteOrderMark(of: bytes), line: 1, column: 1)
    }

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Returns the number of bytes of a text's byte order mark: 3, or 0 without a byte order mark.
    static func byteOrderMark(of bytes: [UInt8]) -> Int { bytes.starts(with: byteOrderMark) ? 3 : 0 }

    /// Creates a parser that continues in the middle of a text. For errors, `line` and `column` are those of `start`.
    init(_ bytes: [UInt8], from start: Int, line: Int, column: Int) {
        self.bytes = bytes
        textStart = start
        firstLine = line
        firstColumn = column
        position = start
    }

    /// Returns the only value of a text.
    package static func value(of text: String) throws(JSONSyntaxError) -> JSONValue {
        try value(of: Array(text.utf8))
    }

    /// Returns the only value of a text. Any text after it, other than white space, is an error.
    package static func value(of bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        var parser = JSONParser(bytes)
        guard let value = try parser.next() else { throw parser.error("there is no JSON value") }
        guard parser.skipToEnd() else { throw parser.error("there is text after the JSON value") }
        return value
    }

    /// Returns the next of several values; `nil` at the end of the text. After an error, the rest is not read.
    package mutating func next() throws(JSONSyntaxError) -> JSONValue? {
        guard !skipToEnd() else { return nil }
        return try parseValue(depth: 0)
    }

    /// Skips white space, and returns whether the text has ended.
    private mutating func skipToEnd() -> Bool {
        skipWhiteSpace()
        return position == bytes.count
    }

    // MARK: Parsing of JSON values

    private mutating func parseValue(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        skipWhiteSpace()
        switch peek() {
        case UInt8(ascii: "{"): return .object(try parseObject(depth: depth))
        case UInt8(ascii: "["): return .array(try parseArray(depth: depth))
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
        case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
        case UInt8(ascii: "n"): return try parseWord("null", .null)
        case let byte? where byte == UInt8(ascii: "-") || Self.digits.contains(byte): return .number(try parseNumber())
        case nil: throw error("the text ends where a value should be")
        case let byte? where Self.isLetter(byte): throw wordError()
        case let byte?: throw error("\(Self.show(byte)) cannot begin a value")
        }
    }

    private mutating func parseObject(depth: Int) throws(JSONSyntaxError) -> JSONObject {
        try checkNesting(depth)
        var object = JSONObject()
        position += 1
        skipWhiteSpace()
        if take("}") { return object }
        while true {
            guard peek() == UInt8(ascii: "\"") else { throw error("a key in double quotes is missing") }
            let key = try parseString()
            skipWhiteSpace()
            guard take(":") else { throw error("a colon is missing after the key") }
            object.append(key, try parseValue(depth: depth + 1))
            skipWhiteSpace()
            if take("}") { return object }
            try takeComma(before: "}")
        }
    }

    private mutating func parseArray(depth: Int) throws(JSONSyntaxError) -> [JSONValue] {
        try checkNesting(depth)
        var array: [JSONValue] = []
        position += 1
        skipWhiteSpace()
        if take("]") { return array }
        while true {
            array.append(try parseValue(depth: depth + 1))
            skipWhiteSpace()
            if take("]") { return array }
            try takeComma(before: "]")
        }
    }

    /// Reads the comma between two members or elements, which is not permitted before the closing bracket.
    private mutating func takeComma(before end: Unicode.Scalar) throws(JSONSyntaxError) {
        let comma = position
        guard take(",") else { throw error("a comma or \(end) is missing") }
        skipWhiteSpace()
        guard peek() == UInt8(ascii: end) else { return }
        position = comma
        throw error("the comma before \(end) must be removed")
    }

    /// Checks that one more array or object may begin within `depth` others.
    private func checkNesting(_ depth: Int) throws(JSONSyntaxError) {
        guard depth < Self.deepestNesting else { throw error("nested more than \(Self.deepestNesting) deep") }
    }

    private mutating func parseWord(_ word: String, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        guard bytes[position...].starts(with: word.utf8) else { throw wordError() }
        position += word.utf8.count
        return value
    }

    private mutating func wordError() -> JSONSyntaxError {
        let word = bytes[position...].prefix(Self.maxShown).prefix(while: Self.isLetter)
        let isCut = word.count == Self.maxShown
        endsInWord = word.endIndex == bytes.count && !isCut
        let shown = String(decoding: word, as: UTF8.self) + (isCut ? "…" : "")
        return error("\(shown) is not true, false or null, and a string needs double quotes")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private mutating func parseNumber() throws(JSONSyntaxError) -> JSONNumber {
        let start = position
        _ = take("-")
        if !take("0") { try parseDigits() }
        if take(".") { try parseDigits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try parseDigits()
        }
        return JSONNumber(literal: String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func parseDigits() throws(JSONSyntaxError) {
        let start = position
        while let byte = peek(), Self.digits.contains(byte) { position += 1 }
        guard position > start else { throw error("a digit is missing in the number") }
    }

    // MARK: Parsing of JSON strings

    private mutating func parseString() throws(JSONSyntaxError) -> String {
        position += 1
        var text = ""
        var start = position
        while true {
            switch peek() {
            case UInt8(ascii: "\""):
                text += try plainText(from: start)
                position += 1
                return text
            case UInt8(ascii: "\\"):
                text += try plainText(from: start)
                position += 1
                text.unicodeScalars.append(try parseEscape())
                start = position
            case nil: throw error("the text ends inside a string")
            case let byte? where byte < 0x20: throw error("a control character must be escaped in a string")
            default: position += 1
            }
        }
    }

    private func plainText(from start: Int) throws(JSONSyntaxError) -> String {
        guard let text = String(validating: bytes[start..<position], as: UTF8.self) else {
            throw error("the string is not UTF-8")
        }
        return text
    }

    private mutating func parseEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
        guard let byte = peek() else { throw error("the text ends inside a string") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try parseUnicodeEscape()
        default:
            position -= 1
            throw error("\\\(Self.show(byte)) is not an escape")
        }
    }

    private mutating func parseUnicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let first = try parseHexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        // A high surrogate makes a scalar only if a low surrogate follows immediately.
        let afterFirst = position
        if first < 0xDC00, take("\\"), take("u") {
            let second = try parseHexadecimal()
            if (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
            {
                return scalar
            }
        }
        position = afterFirst
        return "\u{FFFD}"
    }

    private mutating func parseHexadecimal() throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("four hexadecimal digits are missing after \\u")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    // MARK: Access to the bytes

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipWhiteSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func error(_ problem: String) -> JSONSyntaxError {
        if let compression {
            return JSONSyntaxError(
                line: 1, column: 1, problem: "the text is compressed with \(compression): decompress it",
                compression: compression)
        }
        if let encoding = utf16 {
            // In UTF-16, the number of bytes is not the number of characters, so the error has no exact column.
            return JSONSyntaxError(
                line: 1, column: 1,
                problem: "the text is UTF-16, not UTF-8: convert it with iconv -f \(encoding) -t UTF-8")
        }
        let before = bytes[textStart..<position]
        let line = before.count { $0 == 0x0A } + firstLine
        let column = position - (before.lastIndex(of: 0x0A) ?? textStart - firstColumn)
        return JSONSyntaxError(line: line, column: column, problem: problem)
    }

    /// The name of the text's compression, if it begins with the magic number of gzip (RFC 1952), zstd (RFC 8878), bzip2
    /// or xz; otherwise `nil`. Brotli has no magic number.
    private var compression: String? {
        guard firstLine == 1, firstColumn == 1, textStart == 0 else { return nil }
        let magics: [(magic: [UInt8], name: String)] = [
            ([0x1F, 0x8B], "gzip"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd"), ([0x42, 0x5A, 0x68], "bzip2"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz"),
        ]
        return magics.first { bytes.starts(with: $0.magic) }?.name
    }

    /// The encoding's name for iconv(1) if the text is UTF-16, which some editors write; otherwise `nil`.
    ///
    /// Only the bytes up to the error are used, so a text that arrives in pieces gets the same error. A text counts as
    /// UTF-16 if it begins with the first byte of a UTF-16 byte order mark, which no UTF-8 text contains. A text also
    /// counts as UTF-16 if it begins with an opening bracket that a zero byte follows.
    private var utf16: String? {
        guard firstLine == 1, firstColumn == 1, textStart == 0, let first = bytes.first else { return nil }
        if first == 0xFF || first == 0xFE { return "UTF-16" }
        return "{[".utf8.contains(first) && bytes.count > 1 && bytes[1] == 0 ? "UTF-16LE" : nil
    }

    private static func show(_ byte: UInt8) -> String {
        (0x21...0x7E).contains(byte) ? String(Character(Unicode.Scalar(byte))) : "byte \(byte)"
    }
}
