import FoundationEssentials
import Testing

@testable import Base

/// The tests of RFC 3339 §5.6.
struct InternetDateTests {
    @Test(
        arguments: [
            (0.0, "1970-01-01T00:00:00.000Z"), (784_111_777.25, "1994-11-06T08:49:37.250Z"),
            (951_868_799.999, "2000-02-29T23:59:59.999Z"), (1_709_164_800.001, "2024-02-29T00:00:00.001Z"),
            (4_107_542_399, "2100-02-28T23:59:59.000Z"), (4_107_542_400, "2100-03-01T00:00:00.000Z"),
        ])
    func `a date is written in UTC with milliseconds`(seconds: Double, text: String) {
        #expect(InternetDate.text(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test func `a date is rounded to the millisecond`() {
        #expect(InternetDate.text(Date(timeIntervalSince1970: 0.999_4)) == "1970-01-01T00:00:00.999Z")
        #expect(InternetDate.text(Date(timeIntervalSince1970: 0.999_6)) == "1970-01-01T00:00:01.000Z")
    }

    @Test func `a date outside of the format is written as the first or the last date`() {
        #expect(InternetDate.text(Date(timeIntervalSince1970: -1)) == "1970-01-01T00:00:00.000Z")
        #expect(InternetDate.text(.distantPast) == "1970-01-01T00:00:00.000Z")
        #expect(InternetDate.text(Date(timeIntervalSince1970: 1e15)) == "9999-12-31T23:59:59.999Z")
    }
}
