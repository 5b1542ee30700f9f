import JSON
import NotificationModel
import NotificationProcessor

/// Rules for the payloads of Sendios.
enum SendiosRules {
    static let all = [bareName, route, fromUser, badge, textMissing]

    private static let textMissing = LintRule.found(
        "sendios-text-missing", .warning, "A push that is to be shown has no text.", source: page + ", `notification`.")

    private static let page = "\"Push Notification Payload\" in the vendor's iOS guide"

    private static let bareName = LintRule(
        "sendios-bare-name", .warning,
        "`image_url` is a bare name: it is taken for a launch image in the app, and nothing is fetched.",
        source: "docs/dialects.md, `sendios`."
    ) { subject in
        guard let data = data(subject), let name = data["image_url"].text,
            !subject.media.contains(where: { $0.path == data["image_url"].path })
        else { return [] }
        return [
            LintFlaw(
                data["image_url"], "\(VisibleText.quoted(name)) is the name of a launch image, not a URL",
                fix: "Write the picture's https URL, unless the launch image is meant")
        ]
    }

    private static let route = LintRule.found(
        "sendios-route", .warning, "`route` is none of the vendor's nine: the app knows no such screen.",
        source: page + ", `route`.")

    private static let fromUser = LintRule.found(
        "sendios-from-user", .warning,
        "`from_user_id` is missing for a route that belongs to a user, or stands beside one that does not.",
        source: page + ", `from_user_id`: for chat, profile and correspondence, \"otherwise is null\".")

    private static let badge = LintRule.found(
        "sendios-badge", .warning, "A badge is no whole number from 0: the icon keeps what it has.",
        source: page + ", `badge`: a number. A text of digits is read as one.")

    private static func data(_ subject: LintSubject) -> JSONNode? {
        subject.isRead(as: "sendios") ? SendiosDialect.data(of: subject.payload) : nil
    }
}
