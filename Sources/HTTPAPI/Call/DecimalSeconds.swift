import NotificationModel

/// A number of seconds in decimal digits with an optional fraction, as header fields have it: `5`, `2.5`.
enum DecimalSeconds {
    /// No field of ours takes so much. More is read as this.
    private static let longest: Duration = .seconds(1_000_000)

    /// Returns `nil` for a text with a sign, an exponent, a blank, or no digits before or after its point.
    static func parse(_ text: String) -> Duration? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard areDigits, parts.count <= 2, let seconds = Double(text) else { return nil }
        return seconds < longest.seconds ? .seconds(seconds) : longest
    }

    /// Writes a duration of whole milliseconds, without a fraction where there is none.
    static func text(_ duration: Duration) -> String {
        let seconds = duration.seconds
        return Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    }
}
