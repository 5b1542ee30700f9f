import Base
import NotificationModel
import NotificationProcessor

enum SendiosRules {
    static let all = [bareName, nullImage, route, fromUser, badge, textMissing]

    private static let textMissing = LintRule.found(
        "sendios-text-missing", .warning, "A visible push has no text.", source: page + ", `notification`.")

    private static let page = "Source: \"Push Notification Payload\" in the vendor's iOS guide"

    private static let bareName = LintRule.single(
        "sendios-bare-name", .warning,
        "`image_url` is a file name instead of a URL. The name counts as a launch image of the app, and nothing is fetched.",
        source: "See docs/use/dialects.md, `sendios`."
    ) { subject in
        guard let data = data(subject), let name = data["image_url"].text, !SendiosDialect.isNull(data["image_url"]),
            !subject.media.contains(where: { $0.path == data["image_url"].path })
        else { return nil }
        return RuleFinding(
            data["image_url"], "\(VisibleText.quoted(name)) is the name of a launch image, not a URL",
            fix: "Write the https URL of the image, unless you mean the launch image")
    }

    private static let nullImage = LintRule.single(
        "sendios-null-image", .warning, "`image_url` is the text `null` instead of a URL, so the push has no picture.",
        source: page + ", `image_url`."
    ) { subject in
        guard let data = data(subject), SendiosDialect.isNull(data["image_url"]) else { return nil }
        return RuleFinding(
            data["image_url"], "image_url is the text \"null\", so the push has no picture",
            fix: "Write the https URL of the image, or leave the key out")
    }

    private static let route = LintRule.found(
        "sendios-route", .warning,
        "`route` is not one of the vendor's nine routes. The app has no screen for other routes.",
        source: page + ", `route`.")

    private static let fromUser = LintRule.found(
        "sendios-from-user", .warning,
        "`from_user_id` is missing for a route that needs a user, or is present for a route that does not need a user.",
        source: page
            + ", `from_user_id`. Only the routes `chat`, `profile` and `correspondence` have a `from_user_id`.")

    private static let badge = LintRule.found(
        "sendios-badge", .warning,
        "The `badge` is not a whole number of 0 or more. The badge of the app does not change.",
        source: page + ", `badge`. The value is a number. A string of digits is read as a number.")

    private static func data(_ subject: LintSubject) -> JSONNode? {
        subject.isRead(as: "sendios") ? SendiosDialect.data(of: subject.payload) : nil
    }
}
