import NotificationModel

/// Sendios.
enum SendiosRules {
    static let all = [bareName]

    private static let bareName = LintRule(
        "sendios-bare-name", .warning,
        "`image_url` is a bare name: it is taken for a launch image in the app, and nothing is fetched.",
        source: "docs/dialects.md, `sendios`."
    ) { subject in
        guard subject.isRead(as: "sendios"), subject.media.isEmpty else { return [] }
        let node = [subject.payload["data"]["image_url"], subject.payload["image_url"]].first { $0.text != nil }
        guard let node, let name = node.text else { return [] }
        return [
            LintFlaw(
                node, "\(ShownText.quoted(name)) is the name of a launch image, not a URL",
                fix: "Write the picture's https URL, unless the launch image is meant")
        ]
    }
}
