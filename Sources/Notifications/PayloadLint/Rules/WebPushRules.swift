import Base
import NotificationModel

/// The rules for web push: declarative messages and notification options, including the options in messages to FCM.
enum WebPushRules {
    static let all = [action, navigate]

    private static let action = LintRule.each(
        actions, "webpush-action", .error,
        "An action has no `action` or no `title`, so the action cannot be shown.",
        source:
            "Source: WHATWG, Notifications API Standard, `NotificationAction`. An action needs `action` and `title`."
    ) { action, _ in
        let missing = ["action", "title"].filter { action[$0].text == nil }
        guard !missing.isEmpty else { return nil }
        return RuleFinding(
            action, "the action has no \(missing.joined(separator: " and no "))",
            fix: "Add \(missing.joined(separator: " and "))")
    }

    private static let navigate = LintRule(
        "webpush-navigate", .error,
        "A declarative message lacks `title` or `navigate`, so the message is not shown as a declarative message.",
        source:
            "Source: W3C, Push API, \"Declarative push message\". A declarative message needs `title` and `navigate`, and `navigate` is a URL. Each action needs `title` and `navigate`, too."
    ) { subject in
        guard subject.isRead(as: "webpush"), subject.payload["web_push"].exists else { return [] }
        let notification = subject.payload["notification"]
        let missing = ["title", "navigate"].filter { notification[$0].text == nil }
        let own = RuleFinding(
            notification, "the notification has no \(missing.joined(separator: " and no "))",
            fix: "Add \(missing.joined(separator: " and "))")
        return (missing.isEmpty ? [] : [own])
            + notification["actions"].elements.filter { $0.object != nil && $0["navigate"].text == nil }.map {
                RuleFinding($0, "the action has no navigate", fix: "Add navigate with the URL that the action opens")
            }
    }

    private static func actions(_ subject: LintSubject) -> [JSONNode] {
        notifications(subject).flatMap { $0["actions"].elements }
    }

    private static func notifications(_ subject: LintSubject) -> [JSONNode] {
        if subject.reading.isFCMMessage { return [subject.message["webpush"]["notification"]] }
        guard subject.isRead(as: "webpush") else { return [] }
        let nested = subject.payload["notification"]
        return [nested.object != nil && subject.payload["title"].string == nil ? nested : subject.payload]
    }
}
