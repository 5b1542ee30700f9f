import NotificationModel

/// ntfy.
enum NtfyRules {
    static let all = [priority]

    private static let priority = LintRule(
        "ntfy-priority", .warning, "The priority is no whole number from 1 to 5: it is taken for 3.",
        source: "ntfy, \"Publishing: message priority\"."
    ) { subject in
        let node = subject.payload["priority"]
        guard subject.isRead(as: "ntfy"), let value = node.value, value != .null,
            !(0...5).contains(node.looseInteger ?? -1)
        else { return [] }
        return [
            LintFlaw(
                node, "\(value.identifier.map { VisibleText.quoted($0) } ?? value.typeName) is no priority",
                fix: "Write 1 to 5")
        ]
    }
}
