/// The format of a source.
package enum WarmFormat: String, Sendable, CaseIterable {
    /// A text with one URL per line. Empty lines and lines that begin with `#` are ignored.
    case urls
    /// JSON objects with a `url`.
    case ndjson
    /// Payloads of any dialect, and envelopes.
    case payloads
    /// A sitemap with images or videos, or a feed with enclosures, as XML.
    case xml

    /// The syntax by which the bytes of a source are divided into items.
    package enum Syntax: Sendable {
        case lines
        case json
        case xml
        /// A compressed file, which is refused.
        case gzip
        case utf16
    }

    /// The syntax of a source of this format.
    package var syntax: Syntax {
        switch self {
        case .urls: .lines
        case .ndjson, .payloads: .json
        case .xml: .xml
        }
    }

    /// Returns the syntax of a source by its first byte that is not a space.
    package static func syntax(of bytes: some Collection<UInt8>) -> Syntax {
        if bytes.starts(with: [0x1F, 0x8B]) { return .gzip }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return .utf16 }
        let mark: Set<UInt8> = [0xEF, 0xBB, 0xBF]
        guard let first = bytes.first(where: { !" \t\r\n".utf8.contains($0) && !mark.contains($0) }) else {
            return .lines
        }
        if first == UInt8(ascii: "<") { return .xml }
        return "{[\"".utf8.contains(first) ? .json : .lines
    }
}

/// The numbered lines of a source that arrives in pieces, as texts without spaces at both ends.
package struct SourceLines {
    /// The length of the longest line, in bytes. A longer line is cut, because no URL is so long.
    package static let maxLength = 65_536

    private var bytes: [UInt8] = []
    /// The number of the line that `next` returned last, from 1.
    package private(set) var line = 0

    package init() {}

    package mutating func append(_ more: [UInt8]) { bytes += more }

    /// Returns the complete lines without their line ends. At the end of the text, the last line needs no line end.
    package mutating func take(isAtEnd: Bool) -> [(number: Int, text: String)] {
        var lines: [(number: Int, text: String)] = []
        var start = 0
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(next(bytes[start..<end]))
            start = end + 1
        }
        if isAtEnd, start < bytes.count {
            lines.append(next(bytes[start...]))
            start = bytes.count
        }
        bytes.removeFirst(start)
        if bytes.count > 2 * Self.maxLength { bytes.removeLast(bytes.count - Self.maxLength) }
        return lines
    }

    private mutating func next(_ bytes: ArraySlice<UInt8>) -> (number: Int, text: String) {
        line += 1
        let mark: [UInt8] = line == 1 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] : []
        let text = String(decoding: bytes.dropFirst(mark.count).prefix(Self.maxLength), as: UTF8.self)
        return (line, Self.trimmed(text))
    }

    /// Returns a text without spaces, tabs and carriage returns at both ends.
    private static func trimmed(_ text: String) -> String {
        let isSpace: (Character) -> Bool = { " \t\r".contains($0) }
        let end = text.lastIndex { !isSpace($0) }
        return end.map { String(text[...$0].drop(while: isSpace)) } ?? ""
    }
}
