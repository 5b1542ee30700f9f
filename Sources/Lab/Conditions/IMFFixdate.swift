import FoundationEssentials
import HTTPCaching

/// The preferred form of dates in HTTP (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum IMFFixdate {
    /// Returns the text of a time.
    ///
    /// - Parameter unixTime: The seconds since 1970 in UTC, at least 0.
    package static func text(unixTime: Int) -> String {
        HTTPDate.text(Date(timeIntervalSince1970: Double(unixTime)))
    }

    /// Returns the seconds since 1970 of a date in this form; `nil` for other texts, including the two obsolete forms
    /// of the RFC.
    package static func unixTime(of text: some StringProtocol) -> Int? {
        guard let date = HTTPDate.read(String(text), now: Date()) else { return nil }
        let seconds = Int(date.timeIntervalSince1970)
        // A date in another form, and a date that does not exist, result in another text.
        return seconds >= 0 && Self.text(unixTime: seconds) == text ? seconds : nil
    }
}
