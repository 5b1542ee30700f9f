import NotificationModel

/// A number of seconds in decimal digits with an optional fraction, as in header fields: `5`, `2.5`.
enum DecimalSeconds {
    /// The longest duration that is distinguished. Each field has a lower limit, so a longer one is read as this.
    private static let longest: Duration = .seconds(1_000_000)

    /// Returns the duration of a text; `nil` for a text with a sign, an exponent, a blank, or no digits before or after
    /// its point.
    static func parse(_ text: String) -> Duration? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard areDigits, parts.count <= 2, let seconds = Double(text) else { return nil }
        return seconds < longest.seconds ? .seconds(seconds) : longest
    }

    /// Returns the text of a duration in whole milliseconds. A whole number of seconds has no fraction.
    static func text(_ duration: Duration) -> String {
        let seconds = duration.seconds
        return Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    }
}
