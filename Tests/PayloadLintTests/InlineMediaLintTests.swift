import NotificationModel
import PayloadLint
import TestSupport
import Testing

/// Tests of media whose bytes are in the payload, for any number of bytes.
@Suite struct InlineMediaLintTests {
    /// Returns a message with a JPEG of the given size, a JPEG without a type, and four parts whose bytes cannot be
    /// decoded.
    private static func message(_ count: Int) -> String {
        let jpeg = "/9j/4AAQSkZJRgABAQAAAQABAAD/" + String(repeating: "AAAA", count: count / 3)
        return """
            {"parts": [{"type": "image/jpeg", "data": "\(jpeg)"}, {"data": "\(jpeg)"},
             {"type": "image/png", "data": ""}, {"type": "image/png", "data": null}, {"type": "image/png", "data": 7},
             {"type": "application/octet-stream", "data": "A$"}]}
            """
    }

    private static func findings(_ text: String) -> [LintFinding] {
        PayloadLinter(date: SeedFixture.now).lint(LintFile(name: "message.json", bytes: Array(text.utf8)))
    }

    @Test(arguments: [30, 30_000, 300_000])
    func `parts without valid bytes are reported in payloads of any length`(count: Int) {
        let broken = Self.findings(Self.message(count)).filter { $0.rule == "inline-media-broken" }
        #expect(broken.map(\.pointer) == (2...5).map { "/parts/\($0)/data" })
    }

    @Test func `a long message has the same findings as a short message`() {
        let (short, long) = (Self.findings(Self.message(30)), Self.findings(Self.message(300_000)))
        #expect(short.map(\.rule) == long.map(\.rule))
        #expect(short.map(\.pointer) == long.map(\.pointer))
        #expect(short.map(\.message) == long.map(\.message))
    }

    @Test func `an object that is too long even without its inline media is not checked`() {
        let text = String(repeating: "x", count: 70_000)
        let findings = Self.findings(#"{"parts": [{"type": "image/png", "data": ""}], "metadata": "\#(text)"}"#)
        #expect(findings.contains { $0.rule == "not-examined" })
        #expect(!findings.contains { $0.rule == "inline-media-broken" })
    }
}
