package import Base

/// A rule that recognises a payload. The rule matches if a path has any value, as with `com\.vendor`, or a certain
/// value, as with `source == webengage`.
///
/// `=` and `==` mean the same. A value in double quotes is a JSON string. Any other value matches a string, and also a
/// number, `true` or `false` with that text. `null` counts as absent. If the path matches several places, one equal
/// value is enough.
package struct PayloadDiscriminator: Sendable, Equatable, CustomStringConvertible {
    private enum Value: Sendable, Equatable {
        /// A value that matches only a string.
        case string(String)
        case word(String)
    }

    /// The rule as the operator wrote it.
    package let description: String
    private let path: KeyPathText
    /// The value to compare; `nil` if any value matches.
    private let value: Value?

    package init(_ text: String) throws(KeyPathError) {
        description = text
        let scalars = text.unicodeScalars
        guard let sign = Self.sign(in: text) else {
            path = try KeyPathText(text)
            value = nil
            return
        }
        path = try Self.path(Self.trimmed(scalars[..<sign]), of: text)
        var rest = scalars[scalars.index(after: sign)...]
        if rest.first == "=" { rest = rest.dropFirst() }
        let written = Self.trimmed(rest)
        guard !written.isEmpty else {
            throw KeyPathError(text: text, position: scalars.count + 1, problem: "a value is missing after the =")
        }
        guard written.unicodeScalars.first == "\"" else {
            value = .word(written)
            return
        }
        guard let string = (try? JSONParser.value(of: written))?.string else {
            let position = scalars.distance(from: scalars.startIndex, to: rest.firstIndex(of: "\"") ?? sign) + 1
            throw KeyPathError(
                text: text, position: position, problem: "a value that begins with a quote must be a JSON string")
        }
        value = .string(string)
    }

    /// Creates the rule for a word at a path.
    init(_ path: KeyPathText, equals word: String) {
        description = "\(path) == \(word)"
        self.path = path
        value = .word(word)
    }

    /// Parses the path. The position of an error is that in the whole text.
    private static func path(_ written: String, of text: String) throws(KeyPathError) -> KeyPathText {
        do {
            return try KeyPathText(written)
        } catch {
            let leading = text.unicodeScalars.prefix { $0 == " " }.count
            throw KeyPathError(text: text, position: error.position + leading, problem: error.problem)
        }
    }

    /// Returns the first `=` that no backslash precedes.
    private static func sign(in text: String) -> String.Index? {
        var isEscaped = false
        for index in text.unicodeScalars.indices {
            let scalar = text.unicodeScalars[index]
            if scalar == "=" && !isEscaped { return index }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return nil
    }

    /// Removes the spaces around a text. A space after a backslash belongs to the key.
    private static func trimmed(_ scalars: Substring.UnicodeScalarView) -> String {
        var text = scalars.drop { $0 == " " }
        while text.last == " ", text.dropLast().last != "\\" { text.removeLast() }
        return String(text)
    }

    package func matches(_ payload: JSONNode) -> Bool {
        path.nodes(in: payload).contains { node in
            guard let found = node.value, found != .null else { return false }
            return switch value {
            case nil: true
            case .string(let string): found.string == string
            case .word(let word): Self.equal(found, word)
            }
        }
    }

    private static func equal(_ found: JSONValue, _ word: String) -> Bool {
        switch found {
        case .string(let string): string == word
        case .bool(let bool): word == (bool ? "true" : "false")
        case .number(let number): number.literal == word || number.integer.map(String.init) == word
        case .null, .array, .object: false
        }
    }
}
