package import FoundationEssentials

/// The parser and writer of HTTP dates (RFC 9110 §5.6.7). It reads all three formats and writes the first.
///
/// The grammar is case-sensitive, but the parser is not, because the case cannot make a date ambiguous. In all other
/// points the parser is strict. A date with another time zone, a missing comma or a one-digit hour is invalid.
package enum HTTPDate {
    private static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let longDays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    private static let secondsOfDay = 86_400

    /// Parses a date; returns `nil` if it is malformed.
    ///
    /// - Parameter now: The time to which a two-digit year refers. A year that is more than 50 years after this time
    ///   belongs to the previous century.
    package static func read(_ text: String, now: Date) -> Date? {
        let parts = text[...].trimmingBlanks.lowercased().split(separator: " ", omittingEmptySubsequences: false)
        return fixed(parts) ?? obsolete(parts, now: now) ?? asctime(parts)
    }

    /// Returns a date in the form `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func text(_ date: Date) -> String {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let day = seconds >= 0 ? seconds / secondsOfDay : (seconds - secondsOfDay + 1) / secondsOfDay
        let time = seconds - day * secondsOfDay
        let (year, month, dayOfMonth) = civil(day)
        // January 1, 1970 was a Thursday.
        let weekday = ((day + 3) % 7 + 7) % 7
        return
            "\(days[weekday].capitalized), \(padded(dayOfMonth)) \(months[month - 1].capitalized) \(padded(year, 4)) "
            + "\(padded(time / 3_600)):\(padded(time / 60 % 60)):\(padded(time % 60)) GMT"
    }

    /// Returns the text of a time in seconds since 1970, in UTC.
    package static func text(unixTime: Int) -> String { text(Date(timeIntervalSince1970: Double(unixTime))) }

    /// Returns the seconds since 1970 of a date in the form that `text` writes. Returns `nil` for another form, for
    /// another case of letters, and for a date before 1970.
    package static func unixTime(ofPreferredForm text: some StringProtocol) -> Int? {
        guard let date = read(String(text), now: Date()) else { return nil }
        let seconds = Int(date.timeIntervalSince1970)
        // A date in another form, and a date that does not exist, result in another text.
        return seconds >= 0 && Self.text(unixTime: seconds) == text ? seconds : nil
    }

    /// Parses the form `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func fixed(_ parts: [Substring]) -> Date? {
        guard parts.count == 6, parts[0].last == ",", days.contains(String(parts[0].dropLast())), parts[5] == "gmt"
        else { return nil }
        return date(year: number(parts[3], 4), month: parts[2], day: number(parts[1], 2), time: parts[4])
    }

    /// Parses the form `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static func obsolete(_ parts: [Substring], now: Date) -> Date? {
        guard parts.count == 4, parts[0].last == ",", longDays.contains(String(parts[0].dropLast())), parts[3] == "gmt"
        else { return nil }
        let day = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard day.count == 3, let short = number(day[2], 2) else { return nil }
        let thisYear = civil(Int(now.timeIntervalSince1970) / secondsOfDay).year
        let year = thisYear / 100 * 100 + short
        return date(
            year: year > thisYear + 50 ? year - 100 : year, month: day[1], day: number(day[0], 2), time: parts[2])
    }

    /// Parses the form `Sun Nov  6 08:49:37 1994`, in which a space pads the day.
    private static func asctime(_ parts: [Substring]) -> Date? {
        guard let weekday = parts.first, days.contains(String(weekday)) else { return nil }
        if parts.count == 6, parts[2].isEmpty {
            return date(year: number(parts[5], 4), month: parts[1], day: number(parts[3], 1), time: parts[4])
        }
        guard parts.count == 5 else { return nil }
        return date(year: number(parts[4], 4), month: parts[1], day: number(parts[2], 2), time: parts[3])
    }

    private static func date(year: Int?, month: Substring, day: Int?, time: Substring) -> Date? {
        guard let year, let day, let month = months.firstIndex(of: String(month)) else { return nil }
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number($0, 2) }
        guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2] else { return nil }
        let start = dayNumber(year, month + 1, day)
        // A day such as February 30 is converted to another date. A minute may have a leap second.
        guard civil(start) == (year, month + 1, day), hour < 24, minute < 60, second <= 60 else { return nil }
        return Date(timeIntervalSince1970: Double(start * secondsOfDay + hour * 3_600 + minute * 60 + second))
    }

    private static func number(_ text: Substring, _ digits: Int) -> Int? {
        text.utf8.count == digits ? Int(decimalDigits: text, atMost: digits) : nil
    }

    private static func padded(_ number: Int, _ digits: Int = 2) -> String { String(number).padded(to: digits) }

    /// Returns the number of days from January 1, 1970 to a date of the Gregorian calendar. In this calculation, years
    /// begin in March, so that the leap day is the last day of a year.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let fromMarch = month > 2 ? month - 3 : month + 9
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * fromMarch + 2) / 5 + day - 1
        return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }

    /// Returns the date of the Gregorian calendar that is a number of days after January 1, 1970.
    static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * dayOfYear + 2) / 153
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * fromMarch + 2) / 5 + 1)
    }
}

extension Substring {
    /// The text without the optional white space of HTTP at its ends: spaces and tabs (RFC 9110 §5.6.3).
    package var trimmingBlanks: Substring {
        var text = self
        while let first = text.unicodeScalars.first, first == " " || first == "\t" { text.unicodeScalars.removeFirst() }
        while let last = text.unicodeScalars.last, last == " " || last == "\t" { text.unicodeScalars.removeLast() }
        return text
    }
}

/// The writer of dates in UTC with milliseconds (RFC 3339).
///
/// Each request has five such dates: three in its result, and one in each of its two log lines. With Foundation's format
/// style, they took 2 % of the processor time of a text notification.
package enum InternetDate {
    /// The first millisecond of the year 10,000, which has too many digits for the format.
    private static let end = 253_402_300_800_000.0
    private static let millisecondsOfDay = 86_400_000

    /// Returns a date in the form `1994-11-06T08:49:37.250Z`, rounded to the millisecond. Dates outside of the years 1970
    /// to 9999 are written as the first or the last one of them.
    package static func text(_ date: Date) -> String {
        let milliseconds = Int(min(max(0, (date.timeIntervalSince1970 * 1_000).rounded()), end - 1))
        let (year, month, day) = HTTPDate.civil(milliseconds / millisecondsOfDay)
        let time = milliseconds % millisecondsOfDay
        var text: [UInt8] = []
        text.reserveCapacity(24)
        text.append(decimal: year, digits: 4)
        text.append(UInt8(ascii: "-"))
        text.append(decimal: month, digits: 2)
        text.append(UInt8(ascii: "-"))
        text.append(decimal: day, digits: 2)
        text.append(UInt8(ascii: "T"))
        text.append(decimal: time / 3_600_000, digits: 2)
        text.append(UInt8(ascii: ":"))
        text.append(decimal: time / 60_000 % 60, digits: 2)
        text.append(UInt8(ascii: ":"))
        text.append(decimal: time / 1_000 % 60, digits: 2)
        text.append(UInt8(ascii: "."))
        text.append(decimal: time % 1_000, digits: 3)
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends the last digits of a number that is not negative.
    fileprivate mutating func append(decimal number: Int, digits: Int) {
        let start = count
        var rest = number
        append(contentsOf: repeatElement(UInt8(ascii: "0"), count: digits))
        for place in stride(from: start + digits - 1, through: start, by: -1) {
            self[place] += UInt8(rest % 10)
            rest /= 10
        }
    }
}
