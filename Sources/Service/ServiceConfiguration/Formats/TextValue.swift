import Base
import NotificationModel

/// The text of a variable or a flag as a value.
enum TextValue {
    /// Returns the value of a text. Lists are divided at commas, and shapes with mappings are YAML on one line. An
    /// empty text is an empty list or mapping.
    static func cut(_ text: String, as shape: ValueShape, from source: ValueSource) throws(ValueErrors)
        -> ConfigNode
    {
        switch shape {
        case .text: return ConfigNode(content: .text(text), source: source)
        case .list:
            let elements =
                text.allSatisfy { $0 == " " } ? [] : text.split(separator: ",", omittingEmptySubsequences: false)
            return ConfigNode(
                content: .list(elements.map { ConfigNode(content: .text(trimmed($0)), source: source) }),
                source: source)
        case .listOrMapping:
            return try cut(text, as: text.drop { $0 == " " }.first == "{" ? .mapping : .list, from: source)
        case .mapping: return try yaml(text, from: source) ?? ConfigNode(content: .map([]), source: source)
        case .listOfMappings: return try yaml(text, from: source) ?? ConfigNode(content: .list([]), source: source)
        }
    }

    private static func yaml(_ text: String, from source: ValueSource) throws(ValueErrors) -> ConfigNode? {
        try YAMLText.parse(text) { _ in source }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

/// A whole number as a text of digits only. `Int` would also accept a sign.
enum WholeNumberText {
    static func parse(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else {
            return nil
        }
        return Int(text)
    }
}

/// The text form of a number of bytes, such as `1000`, `50MB` or `40MiB`.
package enum ByteCountText {
    private static let units: [(name: String, bytes: Int)] = [
        ("TiB", 1 << 40), ("TB", 1_000_000_000_000), ("GiB", 1 << 30), ("GB", 1_000_000_000), ("MiB", 1 << 20),
        ("MB", 1_000_000), ("KiB", 1 << 10), ("kB", 1_000), ("KB", 1_000), ("B", 1), ("", 1),
    ]

    package static func parse(_ text: String) -> Int? {
        guard let (digits, unit) = split(text), let number = WholeNumberText.parse(digits) else { return nil }
        let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit)
        return isTooLarge ? nil : bytes
    }

    /// Returns a number of bytes in the unit that results in the fewest digits without a fraction.
    static func text(_ bytes: Int) -> String {
        guard bytes > 0 else { return String(bytes) }
        let whole = units.filter { bytes.isMultiple(of: $0.bytes) && $0.name != "KB" }
        let shortest = whole.min { bytes / $0.bytes < bytes / $1.bytes }
        guard let shortest, shortest.bytes > 1 else { return String(bytes) }
        return "\(bytes / shortest.bytes)\(shortest.name)"
    }

    private static func split(_ text: String) -> (digits: String, unit: Int)? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let name = text[digits.endIndex...]
        guard let unit = units.first(where: { $0.name == name }) else { return nil }
        return (String(digits), unit.bytes)
    }
}

/// A text in the form in which a message repeats it: in quotes, on one line, and not longer than a line.
enum QuotedText {
    static func quote(_ text: String) -> String {
        let maxLength = 60
        let shown = text.count <= maxLength ? text : text.prefix(maxLength) + "…"
        return JSONWriter.text(of: .string(shown))
    }

    /// Returns a text unchanged, so that positions in it can be counted. If it does not fit on one line, the result is
    /// that of `quote`.
    static func verbatim(_ text: String) -> String {
        let isShort = text.unicodeScalars.count <= 120
        let isPlain = text.unicodeScalars.allSatisfy {
            ![.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
        return isShort && isPlain ? "\"\(text)\"" : quote(text)
    }

    /// Returns a whole path, with quotes only if the path needs them.
    static func path(_ path: String) -> String {
        let isPlain = !path.isEmpty && path.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isPlain ? path : JSONWriter.text(of: .string(path))
    }
}
