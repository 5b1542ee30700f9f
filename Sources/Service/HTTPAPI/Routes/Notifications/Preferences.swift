import Base
import NotificationModel

/// The preferences of a caller (RFC 7240): a response before the work is done, at once or after a time.
///
/// Preferences that are unknown or malformed are ignored, as RFC 7240 §2 requires. If a preference is repeated, its
/// first value is used.
package struct Preferences: Sendable, Equatable {
    package var respondsAsync = false
    /// The wait in whole milliseconds, at most an hour, because no request takes longer; `nil` if the caller sent no
    /// valid wait.
    package var wait: Duration?

    package init() {}

    /// Reads the preferences of a request.
    ///
    /// - Parameter fields: The values of all `Prefer` fields, in their order.
    package init(fields: [String]) {
        var seen: Set<String> = []
        for preference in fields.flatMap(Self.split) {
            let (name, value) = Self.preference(preference)
            guard !name.isEmpty, seen.insert(name).inserted else { continue }
            switch name {
            // The preference has no value (RFC 7240 §4.1), so a preference with a value is malformed.
            case "respond-async": respondsAsync = value.isEmpty
            case "wait": wait = DecimalSeconds.parse(value).map(Self.rounded)
            default: break
            }
        }
    }

    /// Whether the caller accepts a response without the result if the result takes longer.
    package var takesLater: Bool { respondsAsync || wait != nil }

    /// The value of `Preference-Applied`, which lists the preferences that were not ignored.
    package var applied: String {
        [respondsAsync ? "respond-async" : nil, wait.map { "wait=\(DecimalSeconds.text($0))" }].compactMap(\.self)
            .joined(separator: ", ")
    }

    /// Returns the elements of a list, whose quoted strings may contain commas.
    private static func split(_ field: String) -> [Substring] { cut(field[...], at: ",") }

    /// Returns the name, in lower case, and the value of `token [= word] *(; parameter)`.
    private static func preference(_ text: Substring) -> (name: String, value: String) {
        let main = cut(text, at: ";").first ?? ""
        let sides = cut(main, at: "=")
        let value = sides.count > 1 ? main[sides[1].startIndex...].trimmingBlanks : ""
        return ((sides.first ?? "").trimmingBlanks.lowercased(), unquoted(value))
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

    private static func unquoted(_ text: Substring) -> String {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return String(text) }
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
        .milliseconds(Int64(min(wait, TimeBudget.maximum).milliseconds.rounded()))
    }
}

/// A number of seconds in decimal digits with an optional fraction, as in header fields: `5`, `2.5`.
package enum DecimalSeconds {
    /// The maximum duration that is returned. A longer duration is reduced to this maximum, because the limits of all
    /// fields are lower.
    private static let maximum: Duration = .seconds(1_000_000)

    /// Returns the duration of a text; `nil` if the text has a sign, an exponent, a blank, or no digits before or after
    /// its point.
    package static func parse(_ text: String) -> Duration? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy(\.isASCIIDigit)
        }
        guard areDigits, parts.count <= 2, let seconds = Double(text) else { return nil }
        return seconds < maximum.seconds ? .seconds(seconds) : maximum
    }

    /// Returns the text of a duration in whole milliseconds. A whole number of seconds has no fraction.
    package static func text(_ duration: Duration) -> String {
        let seconds = duration.seconds
        return Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    }
}
