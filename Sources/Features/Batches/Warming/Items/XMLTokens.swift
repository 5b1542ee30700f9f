/// A tokenizer that finds the tags and texts of an XML document which arrives in pieces, for lists of URLs.
///
/// The tokenizer does not check the grammar. It skips comments, processing instructions and document types. It does not
/// expand entities of a document type, so no document grows while it is parsed. A token of more than `maxLength` bytes is
/// a problem.
struct XMLTokens {
    enum Token: Equatable {
        /// A start tag. Its name includes the prefix, such as `image:loc`.
        case start(name: String, attributes: [String: String], isEmpty: Bool)
        case end(name: String)
        case text(String)
    }

    static let maxLength = 65_536
    private static let skipped: [(StaticString, StaticString)] = [("<!--", "-->"), ("<?", "?>"), ("<!", ">")]

    private var bytes: [UInt8] = []
    private var position = 0
    /// The number of the line at `position`, from 1.
    private(set) var line = 1

    mutating func append(_ more: some Sequence<UInt8>) {
        bytes.removeFirst(position)
        position = 0
        bytes += more
    }

    /// Returns the next complete token; `nil` if more bytes are needed, or at the end of the document.
    mutating func next(isAtEnd: Bool) throws(WarmProblem) -> Token? {
        while position < bytes.count {
            if bytes[position] != UInt8(ascii: "<") {
                let end = bytes[position...].firstIndex(of: UInt8(ascii: "<"))
                guard let end = end ?? (isAtEnd ? bytes.count : nil) else { return try incomplete() }
                return .text(Self.unescaped(take(to: end)))
            }
            if starts("<![CDATA[") {
                guard let end = find("]]>") else { return try incomplete() }
                let text = take(to: end + 3)
                return .text(String(decoding: text.dropFirst(9).dropLast(3), as: UTF8.self))
            } else if let (_, end) = Self.skipped.first(where: { starts($0.0) }) {
                guard skip(behind: end) else { return try incomplete() }
            } else {
                guard let end = tagEnd else { return try incomplete() }
                return Self.tag(take(to: end + 1))
            }
        }
        return nil
    }

    /// Returns `nil`, because the token continues in the next piece. Throws a `WarmProblem` if the token is too long.
    private func incomplete() throws(WarmProblem) -> Token? {
        guard bytes.count - position > Self.maxLength else { return nil }
        throw WarmProblem(place: "\(line)", text: "is not a list: an element has more than \(Self.maxLength >> 10) KiB")
    }

    // MARK: Bytes of the document

    private func starts(_ text: StaticString) -> Bool {
        // The text may be cut off at the end of a piece. It is complete when the next piece has arrived.
        let text = "\(text)".utf8
        return bytes[position...].prefix(text.count).elementsEqual(text)
    }

    private func find(_ text: StaticString) -> Int? {
        let text = Array("\(text)".utf8)
        var place = position
        while place + text.count <= bytes.count {
            guard let first = bytes[place...].firstIndex(of: text[0]), first + text.count <= bytes.count else {
                return nil
            }
            if bytes[first..<first + text.count].elementsEqual(text) { return first }
            place = first + 1
        }
        return nil
    }

    /// The end of a tag. A `>` in quotes is a part of a value.
    private var tagEnd: Int? {
        var quote: UInt8?
        for place in position..<bytes.count {
            let byte = bytes[place]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return place
            }
        }
        return nil
    }

    private mutating func skip(behind text: StaticString) -> Bool {
        guard let end = find(text) else { return false }
        _ = take(to: end + "\(text)".utf8.count)
        return true
    }

    private mutating func take(to end: Int) -> ArraySlice<UInt8> {
        let taken = bytes[position..<end]
        line += taken.count { $0 == 0x0A }
        position = end
        return taken
    }

    // MARK: Parts of a tag

    private static func tag(_ bytes: ArraySlice<UInt8>) -> Token {
        var text = Substring(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
        if text.first == "/" { return .end(name: String(text.dropFirst().prefix { !$0.isWhitespace })) }
        let isEmpty = text.last == "/"
        if isEmpty { text.removeLast() }
        let name = String(text.prefix { !$0.isWhitespace })
        text = text.dropFirst(name.count)
        var attributes: [String: String] = [:]
        while let equals = text.firstIndex(of: "=") {
            let key = text[..<equals].split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
            let rest = text[text.index(after: equals)...].drop { $0.isWhitespace }
            guard let quote = rest.first, quote == "\"" || quote == "'",
                let end = rest.dropFirst().firstIndex(of: quote)
            else { break }
            attributes[key] = unescaped(Array(rest.dropFirst()[..<end].utf8)[...])
            text = rest[rest.index(after: end)...]
        }
        return .start(name: name, attributes: attributes, isEmpty: isEmpty)
    }

    /// Returns a text in which the five entities of XML and the numbers of characters are expanded. Other entities stay
    /// unchanged.
    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.contains("&") else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...]
            guard let end = rest.prefix(12).firstIndex(of: ";"),
                let character = character(rest[rest.index(after: start)..<end])
            else {
                result.append(rest.removeFirst())
                continue
            }
            result.append(character)
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func character(_ name: Substring) -> Character? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.hasPrefix("#") else { return nil }
            let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
            return number.flatMap(Unicode.Scalar.init).map { Character($0) }
        }
    }
}
