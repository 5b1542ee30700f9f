package import JSON

/// What recognises a payload: a place where something is, `com\.vendor`, or where a value is, `source == webengage`.
///
/// `=` and `==` mean the same. A value in double quotes is a JSON string; any other is a string, or a number, `true` or
/// `false` that is written so. `null` is not there. Where the path leads to several places, one that fits is enough.
package struct PayloadDiscriminator: Sendable, Equatable, CustomStringConvertible {
    private enum Value: Sendable, Equatable {
        /// A string of the payload and nothing else.
        case string(String)
        case word(String)
    }

    /// As it was written.
    package let description: String
    private let path: KeyPathText
    /// `nil`: any.
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

    /// An error in the path says where in the whole text it is.
    private static func path(_ written: String, of text: String) throws(KeyPathError) -> KeyPathText {
        do {
            return try KeyPathText(written)
        } catch {
            let leading = text.unicodeScalars.prefix { $0 == " " }.count
            throw KeyPathError(text: text, position: error.position + leading, problem: error.problem)
        }
    }

    /// The first `=` that no backslash stands before.
    private static func sign(in text: String) -> String.Index? {
        var isEscaped = false
        for index in text.unicodeScalars.indices {
            let scalar = text.unicodeScalars[index]
            if scalar == "=" && !isEscaped { return index }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return nil
    }

    /// A space behind a backslash belongs to the key.
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
