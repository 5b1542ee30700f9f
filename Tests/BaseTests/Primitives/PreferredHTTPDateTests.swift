import Base
import Testing

struct PreferredHTTPDateTests {
    @Test(arguments: [0, 59, 86_399, 784_111_777, 951_782_400, 1_709_251_199, 4_107_542_400, 253_402_300_799])
    func `a date does not change when it is written and read`(unixTime: Int) {
        #expect(HTTPDate.unixTime(ofPreferredForm: HTTPDate.text(unixTime: unixTime)) == unixTime)
    }

    @Test(arguments: [
        "", "Sun, 06 Nov 1994 08:49:37", "Mon, 06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT", "Thu, 30 Feb 2024 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:49:60 GMT", "Sun, 06 Nov 1994 08:49:37 UTC", "Wed, 31 Dec 1969 23:59:59 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994  08:49:37 GMT",
        "Sat, 01 Jan 0000 00:00:00 GMT", "Sun, 06 Nov 99999 08:49:37 GMT",
    ])
    func `a text in another form is not parsed as a date`(text: String) {
        #expect(HTTPDate.unixTime(ofPreferredForm: text) == nil)
    }
}
