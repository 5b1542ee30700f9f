/// A group of rules about one subject.
package struct LintFamily: Sendable {
    /// The heading of the group in `docs/use/lint.md`.
    package let name: String
    package let rules: [LintRule]

    init(_ name: String, _ rules: [LintRule]) {
        self.name = name
        self.rules = rules
    }

    /// All groups in the order of `docs/use/lint.md`. Findings at the same position are reported in this order, too.
    package static let all = [
        LintFamily("Files", FileRules.all),
        LintFamily("Sizes", SizeRules.all),
        LintFamily("Envelopes", EnvelopeRules.all),
        LintFamily("Dialects", DetectionRules.all + UnreadKeyRules.all),
        LintFamily("Keys of `aps`", KeyRules.all),
        LintFamily("Values of `aps`", ValueRules.all),
        LintFamily("Delivery", DeliveryRules.all),
        LintFamily("Live Activities", LiveActivityRules.all),
        LintFamily("Headers of APNs", HeaderRules.all),
        LintFamily("Media", MediaRules.all + MediaTypeRules.all + UnreadMediaRules.all),
        LintFamily("Texts", TextRules.all),
        LintFamily("Dates", DateRules.all),
        LintFamily("Providers", ProviderRules.all),
        LintFamily("With `--fetch`", FetchedMediaRules.all),
    ]
}

extension LintRule {
    package static let all = LintFamily.all.flatMap(\.rules)
}
