import Base
package import FoundationEssentials

/// The parser of times in the format of RFC 3339 §5.6, with or without a fraction of a second.
///
/// Foundation's ISO 8601 style accepts a 30th of February, an hour 25 and any text after the `Z`. With such a parser,
/// the deadline could differ from the written deadline without an error.
package enum Timestamp {
    package static func parse(_ text: String) -> Date? {
        var reader = TimestampReader(text)
        guard let year = reader.number(4, 0...9_999), reader.take("-"), let month = reader.number(2, 1...12),
            reader.take("-"), let day = reader.number(2, 1...daysOf(month, year)), reader.take("T") || reader.take("t"),
            let hour = reader.number(2, 0...23), reader.take(":"), let minute = reader.number(2, 0...59),
            reader.take(":"), let second = reader.number(2, 0...60), let fraction = reader.fraction(),
            let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        let seconds = daysSince1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    private static func daysOf(_ month: Int, _ year: Int) -> Int {
        let next = month == 12 ? (year + 1, 1) : (year, month + 1)
        return daysSince1970(next.0, next.1, 1) - daysSince1970(year, month, 1)
    }

    /// Returns the days in the Gregorian calendar. Here years begin in March, so that the leap day is the last one.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let leapDays = year / 4 - year / 100 + year / 400
        let daysBeforeMonth = (153 * ((month + 9) % 12) + 2) / 5
        return 365 * year + leapDays + daysBeforeMonth + day - 719_469
    }
}

private struct TimestampReader {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(_ length: Int, _ range: ClosedRange<Int>) -> Int? {
        let digits = digits(atMost: length)
        guard digits.utf8.count == length, let number = Int(digits), range.contains(number) else { return nil }
        return number
    }

    /// Returns the fraction of a second; 0 if it is missing, and `nil` if it has no digits.
    mutating func fraction() -> Double? {
        guard take(".") else { return 0 }
        let digits = digits(atMost: rest.count)
        return digits.isEmpty ? nil : Double("0." + digits)
    }

    /// Returns the offset in seconds east of UTC; `nil` if it is missing or wrong.
    mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let sign = take("-") ? -1 : take("+") ? 1 : 0
        guard sign != 0, let hours = number(2, 0...23), take(":"), let minutes = number(2, 0...59) else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }

    private mutating func digits(atMost count: Int) -> String {
        let digits = rest.prefix(count).prefix(while: \.isASCIIDigit)
        rest = rest[digits.endIndex...]
        return String(decoding: digits, as: UTF8.self)
    }
}
