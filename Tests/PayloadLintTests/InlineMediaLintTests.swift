import NotificationModel
import PayloadLint
import TestSupport
import Testing

/// Findings of media whose bytes are in the payload, however long these are.
@Suite struct InlineMediaLintTests {
    /// A message with a JPEG of so many bytes, and parts that have none.
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
    func `parts without bytes are reported in payloads of any length`(count: Int) {
        let broken = Self.findings(Self.message(count)).filter { $0.rule == "inline-media-broken" }
        #expect(broken.map(\.pointer) == (2...5).map { "/parts/\($0)/data" })
    }

    @Test func `a long message has the findings of a short one`() {
        let (short, long) = (Self.findings(Self.message(30)), Self.findings(Self.message(300_000)))
        #expect(short.map(\.rule) == long.map(\.rule))
        #expect(short.map(\.pointer) == long.map(\.pointer))
        #expect(short.map(\.message) == long.map(\.message))
    }

    @Test func `an object that is long without its media is not looked into`() {
        let text = String(repeating: "x", count: 70_000)
        let findings = Self.findings(#"{"parts": [{"type": "image/png", "data": ""}], "metadata": "\#(text)"}"#)
        #expect(findings.contains { $0.rule == "not-examined" })
        #expect(!findings.contains { $0.rule == "inline-media-broken" })
    }
}
