import Foundation
import NotificationModel
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1), ("2027-01-15T08:00:00Z", 1_800_000_000),
        ("2027-01-15t08:00:00z", 1_800_000_000), ("2027-01-15T08:00:00.25Z", 1_800_000_000.25),
        ("2027-01-15T10:30:00+02:30", 1_800_000_000), ("2027-01-14T20:00:00-12:00", 1_800_000_000),
        ("2027-01-15T08:00:00-00:00", 1_800_000_000), ("2000-02-29T00:00:00Z", 951_782_400),
        ("2028-02-29T12:00:00Z", 1_835_438_400), ("2016-12-31T23:59:60Z", 1_483_228_800),
        ("0000-03-01T00:00:00Z", -62_162_035_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
    func `a timestamp is read with its fraction of a second and its time zone`(text: String, seconds: Double) {
        #expect(Timestamp.parse(text) == Date(timeIntervalSince1970: seconds))
    }

    @Test func `each midnight of four hundred years is 86,400 seconds after the previous midnight`() throws {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        var expected = 0.0
        for year in 1970..<2370 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            for (month, length) in zip(1..., lengths) {
                let last = length + (month == 2 && isLeap ? 1 : 0)
                for day in 1...last {
                    let date = Timestamp.parse("\(year)-\(two(month))-\(two(day))T00:00:00Z")
                    try #require(date?.timeIntervalSince1970 == expected, "\(year)-\(month)-\(day)")
                    expected += 86_400
                }
                #expect(Timestamp.parse("\(year)-\(two(month))-\(two(last + 1))T00:00:00Z") == nil)
            }
        }
    }

    @Test(arguments: [
        "", "2027-01-15", "2027-01-15T08:00:00", "2027-01-15 08:00:00Z", "2027-01-15T08:00Z", "20270115T080000Z",
        "2027-00-15T08:00:00Z", "2027-13-15T08:00:00Z", "2027-01-00T08:00:00Z", "2027-01-32T08:00:00Z",
        "2027-02-29T08:00:00Z", "2100-02-29T08:00:00Z", "2027-01-15T24:00:00Z", "2027-01-15T08:60:00Z",
        "2027-01-15T08:00:61Z", "2027-01-15T08:00:00.Z", "2027-01-15T08:00:00,5Z", "2027-01-15T08:00:00+02",
        "2027-01-15T08:00:00+0200", "2027-01-15T08:00:00+24:00", "2027-01-15T08:00:00+02:60", "2027-01-15T08:00:00ZZ",
        "2027-01-15T08:00:00Z ", " 2027-01-15T08:00:00Z", "27-01-15T08:00:00Z", "12027-01-15T08:00:00Z",
        "-2027-01-15T08:00:00Z", "2027-1-15T08:00:00Z", "2027-01-15T8:00:00Z", "2027-01-15T08:00:00\u{0}Z",
        "\u{662}027-01-15T08:00:00Z", "+027-01-15T08:00:00Z", "1800000000", "now",
    ])
    func `a text that is not an RFC 3339 time is refused`(text: String) {
        #expect(Timestamp.parse(text) == nil)
    }
}
