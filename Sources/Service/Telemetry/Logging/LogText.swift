import Base

/// The escaping of text from clients, so that the text cannot imitate log lines of the program or control the terminal.
package enum LogText {
    /// Returns a text with escapes for control characters, line and paragraph separators, and characters that change
    /// the text direction. The backslash is escaped as well, so that no text looks like an escape.
    package static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { needsEscape($0) || $0 == "\\" }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if needsEscape(scalar) || scalar == "\\" {
                result += escape(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{\(String(scalar.value, radix: 16))}"
        }
    }

    /// Returns a text for a terminal, with the same escapes in place of control characters. Line feeds, tabs and the
    /// program's own colors stay. Backslashes are not escaped, because a person reads the text.
    ///
    /// - Parameter isLine: Whether the text is one line, so that its line feeds and tabs are escaped too.
    package static func onTerminal(_ text: String, isLine: Bool = false) -> String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool {
            needsEscape(scalar) && (isLine || (scalar != "\n" && scalar != "\t"))
        }
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = ""
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            let color = TerminalColor.sequences.first { rest.starts(with: $0.unicodeScalars) }
            rest.removeFirst(color?.unicodeScalars.count ?? 1)
            if let color {
                result += color
            } else if isControl(scalar) {
                result += escape(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Returns a text as one word. The word is quoted if it has spaces, quotation marks, equals signs or escapes.
    package static func word(_ text: String) -> String {
        let isPlain = !text.unicodeScalars.contains { scalar in
            needsEscape(scalar) || scalar.properties.isWhitespace || "\"=\\".unicodeScalars.contains(scalar)
        }
        guard !isPlain || text.isEmpty else { return text }
        return "\"" + escaped(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
            + "\""
    }

    /// Returns a JSON text with JSON escapes for the same characters, which only occur within strings.
    static func escapedInJSON(_ json: [UInt8]) -> [UInt8] {
        // Most lines are printable ASCII.
        guard !json.allSatisfy({ (0x20...0x7E).contains($0) }) else { return json }
        var result = ""
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            guard needsEscape(scalar) else {
                result.unicodeScalars.append(scalar)
                continue
            }
            // All these characters are in the basic multilingual plane, so four digits are enough.
            result += "\\u" + scalar.value.hexadecimal(digits: 4)
        }
        return Array(result.utf8)
    }

    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F: true
        // The line and paragraph separators, and the characters of text direction (Unicode TR 9).
        case 0x2028, 0x2029, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
