package import Base
package import NotificationModel

/// The number of columns that texts take on a terminal.
package enum TerminalText {
    /// Returns the columns of a character: 2 for East Asian scripts and emoji, and 1 for others (UAX #11 and #51).
    package static func columns(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }

    package static func columns(of text: some StringProtocol) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

    /// Returns a path with a shortened digest that fits into `width` columns, if any. `cache show` accepts the path.
    package static func path(_ path: String, width: Int?) -> String {
        guard let width, path.count > width, let slash = path.lastIndex(of: "/") else { return path }
        let name = path[path.index(after: slash)...]
        let digest = name.prefix { $0.isHexDigit }
        guard digest.count > 16 else { return path }
        let rest = path.count - digest.count + 1
        return "\(path[...slash])\(digest.prefix(max(12, width - rest)))…\(name.dropFirst(digest.count))"
    }
}

extension Outcome {
    /// The color of the outcome on a terminal.
    package var color: TerminalColor {
        switch self {
        case .rich, .passthrough, .prefetched: .green
        case .partial, .fallback, .expired, .cancelled: .yellow
        case .rejected: .red
        }
    }
}

/// A layout with two columns, one for labels and one for texts. The texts are wrapped to the width of a terminal.
package enum WrappedText {
    /// The number of columns before the text.
    package static let margin = 11

    /// Returns paragraphs with a label beside the first, in lines of at most `width` columns. A longer word is not cut.
    package static func lines(_ label: String, _ paragraphs: [String], width: Int) -> [String] {
        paragraphs.enumerated().flatMap { index, text in
            let head = ("  " + (index == 0 ? label : "")).leftAligned(in: margin, least: 1)
            return lines(of: text, after: head, indent: margin, width: width)
        }
    }

    /// Returns a text after a head of `indent` columns, in lines of at most `width` columns, or in one line without a
    /// width. Further lines begin after `indent` blanks.
    package static func lines(of text: String, after head: String, indent: Int, width: Int?) -> [String] {
        guard let width else { return [head + text] }
        let blanks = String(repeating: " ", count: indent)
        return wrapped(text, to: max(20, width - indent)).enumerated().map { ($0 == 0 ? head : blanks) + $1 }
    }

    private static func wrapped(_ text: String, to columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > columns {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }
}
