import NotificationModel

/// What a caller would like (RFC 7240): an answer before the work is done, at once or after a time.
///
/// Preferences that we do not know, or cannot read, are passed over, as §2 wants it; of a repeated one the first counts.
struct Preferences: Sendable, Equatable {
    var respondsAsync = false
    /// To the millisecond, and at most an hour: no request takes longer. `nil`: none that can be read was given.
    var wait: Duration?

    init() {}

    /// - Parameter fields: the values of all `Prefer` fields, in their order.
    init(fields: [String]) {
        var seen: Set<String> = []
        for preference in fields.flatMap(Self.split) {
            let (name, value) = Self.preference(preference)
            guard !name.isEmpty, seen.insert(name).inserted else { continue }
            switch name {
            // It has no value: with one it is malformed.
            case "respond-async": respondsAsync = value.isEmpty
            case "wait": wait = DecimalSeconds.parse(value).map(Self.rounded)
            default: break
            }
        }
    }

    /// Whether the caller goes on without the result when it takes longer.
    var takesLater: Bool { respondsAsync || wait != nil }

    /// The value of `Preference-Applied`: the preferences that count, and none that was passed over.
    var applied: String {
        [respondsAsync ? "respond-async" : nil, wait.map { "wait=\(DecimalSeconds.text($0))" }].compactMap(\.self)
            .joined(separator: ", ")
    }

    /// The elements of a list, whose quoted strings may have commas in them.
    private static func split(_ field: String) -> [Substring] { cut(field[...], at: ",") }

    /// The name, in lower case, and the value of `token [= word] *(; parameter)`.
    private static func preference(_ text: Substring) -> (name: String, value: String) {
        let main = cut(text, at: ";").first ?? ""
        let sides = cut(main, at: "=")
        let value = trimmed(sides.count > 1 ? main[sides[1].startIndex...] : "")
        return (trimmed(sides.first ?? "").lowercased(), unquoted(value))
    }

    private static func cut(_ text: Substring, at separator: Character) -> [Substring] {
        var isQuoted = false
        var isEscaped = false
        return text.split(omittingEmptySubsequences: false) { character in
            if isEscaped {
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            }
            return character == separator && !isQuoted
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        var result = ""
        var isEscaped = false
        for character in text.dropFirst().dropLast() {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                isEscaped = false
                result.append(character)
            }
        }
        return result
    }

    private static func rounded(_ wait: Duration) -> Duration {
        .milliseconds(Int64(min(wait, TimeBudget.longest).milliseconds.rounded()))
    }
}
