import JSON
import PayloadLint
import TestSupport
import Testing

/// `lint` calls nothing unread that the result of a payload has.
@Suite struct PayloadFormLintTests {
    private static let rules = [
        "unknown-payload", "media-unread", "unread-key", "unread-type", "fcm-options-place", "envelope-unknown-key",
    ]

    @Test(arguments: try PayloadForm.all())
    func `lint finds everything of a form read`(_ form: PayloadForm) {
        let text = JSONWriter.text(of: .object(form.payload))
        #expect(Lint.findings(text).filter { Self.rules.contains($0.rule) }.map(\.message) == [])
    }
}
