import Base
import NotificationModel

/// The rules for pushes that a phone does not treat as the sender probably intends.
enum DeliveryRules {
    static let all = [mutableContent, noAlert, emptyAlert, backgroundToo]

    private static let mutableContent = LintRule.each(
        \.pushes, "mutable-content-missing", .error,
        "The payload has media, but no `mutable-content`. A phone then does not run the service extension and shows no media.",
        source: "Source: Apple, \"Modifying content in newly delivered notifications\"."
    ) { push, subject in
        guard !subject.reading.isSilent, let count = count(of: subject.media, for: push), count > 0,
            push.aps.object != nil, !push.isLiveActivity, !push.isSilent
        else { return nil }
        let node = push.aps["mutable-content"]
        // The rules `flag-not-1` and `misspelt-key` report a wrong value and a wrong name.
        guard [nil, .null, false, 0].contains(node.value) else { return nil }
        let isMisspelt = push.aps.object?.keys.prefix(64).contains { key in
            key != "mutable-content" && KeyGuess.nearest(to: key, among: ["mutable-content"]) != nil
        }
        guard isMisspelt != true else { return nil }
        return RuleFinding(
            node.exists ? node : push.aps,
            "there \(count == 1 ? "is 1 media item" : "are \(count) media items"), but mutable-content is "
                + (node.exists ? "off" : "missing") + ": a phone shows no media",
            fix: "Add \"mutable-content\": 1 to aps")
    }

    /// Returns the number of media items that a phone would show for a push. Returns `nil` if the app itself fetches
    /// the media, so this rule does not apply.
    private static func count(of media: [LintMediaItem], for push: ApplePush) -> Int? {
        switch push.place {
        case .top, .matrix: media.count { $0.reference.role == .attachment && $0.reference.use == .always }
        case .fcm: media.count { $0.isForPhones }
        case .request: media.count { $0.reference.role == .attachment && $0.reference.platform == .apns }
        case .comapi: nil
        }
    }

    private static let noAlert = LintRule.each(
        \.pushes, "no-visible-alert", .error,
        "The payload has `mutable-content`, but no alert. A phone runs the service extension only for visible notifications.",
        source:
            "Source: Apple, \"UNNotificationServiceExtension\". The payload needs an alert with a title, a subtitle or a body.",
        precedence: .general
    ) { push, _ in
        // Another rule reports a misspelt `alert`.
        let isMisspelt = push.aps.object?.keys.prefix(64).contains {
            $0 != "alert" && KeyGuess.nearest(to: $0, among: APSVocabulary.apsKeys) == "alert"
        }
        guard push.place != .comapi, push.aps["mutable-content"].isSet, !push.hasVisibleAlert, isMisspelt != true else {
            return nil
        }
        return RuleFinding(
            push.aps["alert"].exists ? push.aps["alert"] : push.aps["mutable-content"],
            "there is mutable-content, but no visible alert: a phone does not run the extension",
            fix: "Add an alert with a title or a body, or remove mutable-content")
    }

    private static let emptyAlert = LintRule.each(
        \.pushes, "alert-without-text", .warning,
        "The alert has no title, no subtitle, no body, and no key of a localized text.",
        source: "Source: Apple, payload key reference. A phone shows nothing for such an alert."
    ) { push, _ in
        let lines = ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"]
        guard let alert = push.aps["alert"].object, !push.getsAlert,
            !lines.contains(where: { alert[$0]?.string?.isEmpty == false || alert[$0]?.object != nil })
        else { return nil }
        return RuleFinding(push.aps["alert"], "the alert has no text", fix: "Add a title or a body")
    }

    private static let backgroundToo = LintRule.each(
        \.pushes, "background-too", .note,
        "The payload has `content-available` beside an alert and `mutable-content`. A phone then wakes the app as well as the extension.",
        source:
            "Source: Apple, \"Pushing background updates to your app\". The system limits the number of background pushes."
    ) { push, _ in
        guard push.aps["content-available"].isSet, push.aps["mutable-content"].isSet, push.hasVisibleAlert else {
            return nil
        }
        return RuleFinding(
            push.aps["content-available"],
            "content-available is beside an alert and mutable-content: a phone wakes the app as well as the extension",
            fix: "Remove content-available, unless the app has work to do in the background")
    }
}
