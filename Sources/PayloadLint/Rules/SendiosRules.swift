import NotificationModel
import NotificationProcessor

/// Sendios.
enum SendiosRules {
    static let all = [bareName, route, fromUser, badge]

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
                data["image_url"], "\(ShownText.quoted(name)) is the name of a launch image, not a URL",
                fix: "Write the picture's https URL, unless the launch image is meant")
        ]
    }

    private static let route = LintRule(
        "sendios-route", .warning, "`route` is none of the vendor's nine: the app knows no such screen.",
        source: page + ", `route`."
    ) { subject in
        guard let node = data(subject)?["route"], let value = node.value, value != .null, value != "null" else {
            return []
        }
        let known = SendiosDialect.routes
        guard !(value.string.map(known.contains) ?? false) else { return [] }
        let guess = value.string.flatMap { KeyGuess.nearest(to: $0, among: known) }
        let written = value.string.map { ShownText.quoted($0) } ?? value.typeName
        return [
            LintFlaw(
                node, "\(written) is no route" + (guess.map { "; did you mean \($0)?" } ?? ""),
                fix: guess.map { "Write \($0)" } ?? "Write one of: \(known.joined(separator: ", "))")
        ]
    }

    private static let fromUser = LintRule(
        "sendios-from-user", .warning,
        "`from_user_id` is missing for a route that belongs to a user, or stands beside one that does not.",
        source: page + ", `from_user_id`: for chat, profile and correspondence, \"otherwise is null\"."
    ) { subject in
        guard let data = data(subject), let route = data["route"].string, SendiosDialect.routes.contains(route) else {
            return []
        }
        let user = data["from_user_id"]
        let hasUser = user.identifier.map { $0 != "null" } ?? false
        switch (SendiosDialect.routesOfUsers.contains(route), hasUser) {
        case (true, false):
            return [
                LintFlaw(
                    user.exists ? user : data, "the route \(route) belongs to a user, and from_user_id names none",
                    fix: "Add the user's id as from_user_id")
            ]
        case (false, true):
            return [
                LintFlaw(user, "the route \(route) belongs to no user", fix: "Write null, or a route of the user's")
            ]
        case (true, true), (false, false): return []
        }
    }

    private static let badge = LintRule(
        "sendios-badge", .warning, "The badge of the notification is no whole number: the icon keeps what it has.",
        source: page + ", `badge`: a number. A text of digits is read as one."
    ) { subject in
        guard data(subject) != nil else { return [] }
        let node = SendiosDialect.notification(of: subject.payload)["badge"]
        guard let value = node.value, value != .null, node.looseInteger == nil else { return [] }
        let written = value.string.map { ShownText.quoted($0) } ?? value.typeName
        return [LintFlaw(node, "\(written) is no whole number", fix: "Write the number")]
    }

    private static func data(_ subject: LintSubject) -> JSONNode? {
        subject.isRead(as: "sendios") ? SendiosDialect.data(of: subject.payload) : nil
    }
}
