/// A date as HTTP writes it (IMF-fixdate, RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    /// - Parameter unixTime: seconds since 1970, UTC, not negative.
    package static func text(unixTime: Int) -> String {
        let (days, seconds) = unixTime.quotientAndRemainder(dividingBy: 86_400)
        let (year, month, day) = civilDate(daysSince1970: days)
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map(twoDigits).joined(separator: ":")
        return "\(weekdays[days % 7]), \(twoDigits(day)) \(months[month - 1]) \(year) \(clock) GMT"
    }

    /// Seconds since 1970 of a date in that form; `nil` for any other text, the two obsolete forms of the RFC too.
    package static func unixTime(of text: some StringProtocol) -> Int? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, let month = months.firstIndex(where: { $0 == parts[2] }) else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int(decimalDigits: $0, atMost: 2) }
        guard let day = Int(decimalDigits: parts[1], atMost: 2), let year = Int(decimalDigits: parts[3], atMost: 4),
            clock.count == 3
        else { return nil }
        let days = daysSince1970(year: year, month: month + 1, day: day)
        let seconds = days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
        // A day, a weekday or an hour that does not exist comes out as another one.
        return seconds >= 0 && Self.text(unixTime: seconds) == text ? seconds : nil
    }

    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// The Gregorian date of a day, in years that begin in March so that the leap day comes last.
    private static func civilDate(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468  // days since 1 March of the year 0
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shiftedYear = month > 2 ? year : year - 1
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let leapDays = shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400
        return 365 * shiftedYear + leapDays + (153 * monthFromMarch + 2) / 5 + day - 1 - 719_468
    }
}
