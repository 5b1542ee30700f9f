/// Keeps what strangers send from looking like lines of ours, and from speaking to the terminal.
package enum LogText {
    /// Control characters, line and paragraph separators, and what turns the direction of text are written as escapes.
    /// So is the backslash, or an escape could not be told from a text that looks like one.
    package static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { needsEscape($0) || $0 == "\\" }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where needsEscape(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A text as one word: in quotes unless it is free of spaces, quotes, equals signs and escapes.
    package static func word(_ text: String) -> String {
        let isPlain = !text.unicodeScalars.contains { scalar in
            needsEscape(scalar) || scalar.properties.isWhitespace || "\"=\\".unicodeScalars.contains(scalar)
        }
        guard !isPlain || text.isEmpty else { return text }
        return "\"" + escaped(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
            + "\""
    }

    /// The same for a JSON text: there such characters stand in strings only, so a JSON escape is what they become.
    static func escapedInJSON(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: needsEscape) else { return json }
        var result = ""
        for scalar in json.unicodeScalars {
            guard needsEscape(scalar) else {
                result.unicodeScalars.append(scalar)
                continue
            }
            // All of them are of the basic plane: four digits hold them.
            let digits = String(scalar.value, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return result
    }

    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F: true
        // Line and paragraph separator; marks, embeddings, overrides and isolates of direction (Unicode TR 9).
        case 0x2028, 0x2029, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
