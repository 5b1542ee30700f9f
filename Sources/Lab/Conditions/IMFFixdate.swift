import FoundationEssentials
import HTTPCaching

/// The form of dates that HTTP writes (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum IMFFixdate {
    /// - Parameter unixTime: seconds since 1970, UTC, not negative.
    package static func text(unixTime: Int) -> String {
        HTTPDate.text(Date(timeIntervalSince1970: Double(unixTime)))
    }

    /// Seconds since 1970 of a date in that form; `nil` for any other text, the two obsolete forms of the RFC too.
    package static func unixTime(of text: some StringProtocol) -> Int? {
        guard let date = HTTPDate.read(String(text), now: Date()) else { return nil }
        let seconds = Int(date.timeIntervalSince1970)
        // A date that the reader accepts in another form, or that does not exist, has another text.
        return seconds >= 0 && Self.text(unixTime: seconds) == text ? seconds : nil
    }
}
