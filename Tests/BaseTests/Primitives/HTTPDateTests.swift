import FoundationEssentials
import Testing

@testable import Base

/// The tests of RFC 9110 §5.6.7.
struct HTTPDateTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    @Test(
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "SUN, 06 nov 1994 08:49:37 gmt", " Sun, 06 Nov 1994 08:49:37 GMT ",
        ])
    func `a date is read in each of its three forms`(text: String) {
        #expect(HTTPDate.read(text, now: now) == Date(timeIntervalSince1970: 784_111_777))
    }

    @Test(
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0), ("Thu Jan 15 00:00:00 1970", 1_209_600),
            ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            // These two-digit years are read in 2023, and mean years at most 50 years after 2023.
            ("Friday, 01-Jan-73 00:00:00 GMT", 3_250_454_400), ("Tuesday, 01-Jan-74 00:00:00 GMT", 126_230_400),
        ])
    func `dates of any year and leap seconds are read`(text: String, seconds: Double) {
        #expect(HTTPDate.read(text, now: now) == Date(timeIntervalSince1970: seconds))
    }

    @Test(
        arguments: [
            "", "0", "-1", "now", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000",
            "Sun, 06 Nov 1994 08:49:37", "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 31 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 2023 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Xyz 1994 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT",
            "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
            "Sun Nov  6 08:49:37 1994 GMT", "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
            "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT\u{0}",
        ])
    func `a malformed date is refused`(text: String) {
        #expect(HTTPDate.read(text, now: now) == nil)
    }

    @Test(arguments: [-2_208_988_800, -1, 0, 784_111_777, 951_782_400, 1_709_164_800, 4_102_444_799] as [Double])
    func `a date does not change when it is written and read again`(seconds: Double) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(HTTPDate.read(HTTPDate.text(date), now: now) == date)
    }

    @Test func `a date is written in the first of the three forms`() {
        #expect(HTTPDate.text(Date(timeIntervalSince1970: 784_111_777.9)) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.text(Date(timeIntervalSince1970: -1)) == "Wed, 31 Dec 1969 23:59:59 GMT")
    }
}
