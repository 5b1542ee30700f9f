import Base
import PayloadLint
import TestSupport
import Testing

/// Tests that `lint` does not report a part of a payload as unread if the result contains this part.
@Suite struct PayloadFormLintTests {
    private static let rules = [
        "unknown-payload", "media-unread", "unread-key", "unread-type", "fcm-options-place", "envelope-unknown-key",
    ]

    @Test(arguments: try PayloadForm.all())
    func `lint reports no unread value in a documented form of a payload`(_ form: PayloadForm) {
        let text = JSONWriter.text(of: .object(form.payload))
        #expect(Lint.findings(text).filter { Self.rules.contains($0.rule) }.map(\.message) == [])
    }
}
