import Primitives

/// The parser of fields whose value is a list (RFC 9110 §5.6.1).
enum ListField {
    /// Returns the elements of all lines in their order, without the white space around them and without empty
    /// elements. A comma in a quoted string does not separate elements. An unterminated quoted string ends with its
    /// line.
    ///
    /// - Parameter hasEscapes: whether a backslash in a quoted string escapes the next character (RFC 9110 §5.6.4).
    ///   Entity tags look like quoted strings, but have no escapes (RFC 9110 §8.8.3).
    static func elements(_ lines: [String], hasEscapes: Bool = true) -> [String] {
        lines.flatMap { elements($0[...], hasEscapes: hasEscapes) }
    }

    /// Returns the text of a quoted string; `nil` if the argument is not a quoted string.
    static func unquoted(_ text: Substring) -> String? {
        guard text.utf8.count >= 2, text.utf8.first == UInt8(ascii: "\"") else { return nil }
        var result = String.UnicodeScalarView()
        var isEscaped = false
        var rest = text.unicodeScalars.dropFirst()
        while let scalar = rest.popFirst() {
            switch scalar {
            case _ where isEscaped:
                isEscaped = false
                result.append(scalar)
            case "\\": isEscaped = true
            case "\"": return rest.isEmpty ? String(result) : nil
            default: result.append(scalar)
            }
        }
        return nil
    }

    private static func elements(_ line: Substring, hasEscapes: Bool) -> [String] {
        var isQuoted = false
        var isEscaped = false
        return line.utf8.split { byte in
            if isEscaped {
                isEscaped = false
            } else if isQuoted, hasEscapes, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            }
            return byte == UInt8(ascii: ",") && !isQuoted
        }.map { String(Substring($0).trimmingBlanks) }.filter { !$0.isEmpty }
    }
}
