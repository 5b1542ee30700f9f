import Testing

@testable import NotificationProcessor

@Suite struct LocalizedFormatTests {
    @Test(arguments: [
        ("plain", [], "plain"), ("", ["a"], ""), ("%@", ["a"], "a"), ("%@ and %@", ["a", "b"], "a and b"),
        ("%2$@ before %1$@", ["a", "b"], "b before a"), ("%1$@ %@ %@", ["a", "b"], "a a b"), ("100 %%", [], "100 %"),
        ("%%@", ["a"], "%@"), ("%d of %u, %i", ["1", "2", "3"], "1 of 2, 3"), ("%@", ["%@"], "%@"),
        // A placeholder without an argument, and text that is no placeholder, stay as they are.
        ("%@ %@", ["a"], "a %@"), ("%3$@", ["a"], "%3$@"), ("%0$@", ["a"], "%0$@"), ("50% off", ["a"], "50% off"),
        ("%", ["a"], "%"), ("%1", ["a"], "%1"), ("%1$", ["a"], "%1$"), ("%1@", ["a"], "%1@"), ("%f %s", ["a"], "%f %s"),
        ("%99999999999999999999$@", ["a"], "%99999999999999999999$@"), ("👩‍👩‍👧 %@ é", ["ü"], "👩‍👩‍👧 ü é"),
    ])
    func `arguments replace the placeholders of a localized format`(format: String, arguments: [String], text: String) {
        #expect(LocalizedFormat.text(format, arguments) == text)
    }

    @Test func `a text that would be too long is refused`() {
        let most = LocalizedFormat.maxLength
        #expect(LocalizedFormat.text(String(repeating: "x", count: most), []) != nil)
        #expect(LocalizedFormat.text(String(repeating: "x", count: most + 1), []) == nil)
        #expect(LocalizedFormat.text("%@", [String(repeating: "x", count: most)]) != nil)
        #expect(LocalizedFormat.text("%@!", [String(repeating: "x", count: most)]) == nil)
        // Without the limit this text would have a gigabyte.
        #expect(
            LocalizedFormat.text(String(repeating: "%1$@", count: 16_000), [String(repeating: "x", count: most)]) == nil
        )
    }
}
