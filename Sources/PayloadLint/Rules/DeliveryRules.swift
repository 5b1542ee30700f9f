import JSON
import NotificationModel

/// Whether a phone would do with it what was meant.
enum DeliveryRules {
    static let all = [mutableContent, noAlert, emptyAlert, backgroundToo]

    private static let mutableContent = LintRule(
        "mutable-content-missing", .error,
        "There are media, and no `mutable-content`: a phone runs no service extension, and shows no media.",
        source: "Apple, \"Modifying content in newly delivered notifications\"."
    ) { subject in
        guard !subject.reading.isSilent else { return [] }
        return subject.pushes.compactMap { push in
            guard let count = count(of: subject.media, for: push), count > 0, push.aps.object != nil,
                !push.isLiveActivity, !push.isSilent
            else { return nil }
            let node = push.aps["mutable-content"]
            // A wrong value, or a wrong name, is told by its own rule.
            guard [nil, .null, false, 0].contains(node.value) else { return nil }
            let isMisspelt = push.aps.object?.keys.prefix(64).contains { key in
                key != "mutable-content" && KeyGuess.nearest(to: key, among: ["mutable-content"]) != nil
            }
            guard isMisspelt != true else { return nil }
            return LintFlaw(
                node.exists ? node : push.aps,
                "\(count == 1 ? "a medium" : "\(count) media"), and mutable-content is "
                    + (node.exists ? "off" : "missing") + ": a phone shows none of it",
                fix: "Add \"mutable-content\": 1 to aps")
        }
    }

    /// `nil`: it is nobody's business whether a phone shows them.
    private static func count(of media: [LintMedium], for push: ApplePush) -> Int? {
        switch push.place {
        case .top, .matrix: media.count { $0.reference.role == .attachment && $0.reference.use == .always }
        case .fcm: media.count { $0.isForPhones }
        case .request: media.count { $0.reference.role == .attachment && $0.reference.platform == .apns }
        case .comapi: nil
        }
    }

    private static let noAlert = LintRule(
        "no-visible-alert", .error,
        "`mutable-content` without an alert: a phone runs the extension for visible notifications only.",
        source: "Apple, \"UNNotificationServiceExtension\": the payload has an alert with a title, subtitle or body."
    ) { subject in
        subject.pushes.filter { push in
            push.place != .comapi && push.aps["mutable-content"].isSet && !push.hasVisibleAlert
        }.map { push in
            LintFlaw(
                push.aps["alert"].exists ? push.aps["alert"] : push.aps["mutable-content"],
                "mutable-content without a visible alert: a phone does not run the extension",
                fix: "Add an alert with a title or a body, or take mutable-content out")
        }
    }

    private static let emptyAlert = LintRule(
        "alert-without-text", .warning, "The alert has neither a title nor a body, nor keys of localized ones.",
        source: "Apple, payload key reference. Nothing is shown for it."
    ) { subject in
        subject.pushes.filter { push in
            guard let alert = push.aps["alert"].object else { return false }
            let lines = ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"]
            return !push.getsAlert
                && !lines.contains { key in alert[key]?.string?.isEmpty == false || alert[key]?.object != nil }
        }.map { push in
            LintFlaw(push.aps["alert"], "the alert says nothing", fix: "Add a title or a body")
        }
    }

    private static let backgroundToo = LintRule(
        "background-too", .note,
        "`content-available` together with an alert and `mutable-content`: the app is woken as well as the extension.",
        source: "Apple, \"Pushing background updates to your app\": background pushes are throttled."
    ) { subject in
        subject.pushes.filter { push in
            push.aps["content-available"].isSet && push.aps["mutable-content"].isSet && push.hasVisibleAlert
        }.map { push in
            LintFlaw(
                push.aps["content-available"],
                "content-available beside an alert and mutable-content: the app is woken as well as the extension",
                fix: "Take content-available out, unless the app has something to do in the background")
        }
    }
}
