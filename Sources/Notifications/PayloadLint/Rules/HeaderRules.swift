import Base
import FoundationEssentials
import NotificationModel

/// The rules for the headers that are sent to APNs with the payload: `headers` of an envelope, or `apns.headers` of an
/// FCM message.
enum HeaderRules {
    static let all = [unknown, pushType, typeDisagrees, priority, backgroundPriority, collapseID, expiration]

    private static let page = "Source: Apple, \"Sending notification requests to APNs\"."

    private static let known = [
        "apns-push-type", "apns-priority", "apns-expiration", "apns-collapse-id", "apns-topic", "apns-id",
        "apns-channel-id", "apns-request-id", "authorization", "apns-unique-id", "path",
    ]

    private static let types = [
        "alert", "background", "controls", "location", "voip", "complication", "fileprovider", "mdm", "liveactivity",
        "pushtotalk", "widgets",
    ]

    private static let unknown = LintRule(
        "unknown-header", .warning, "The name of a header is probably a misspelt name of an APNs header.", source: page
    ) { subject in
        subject.headers.flatMap { node in
            (node.object?.keys.prefix(64) ?? []).compactMap { key -> RuleFinding? in
                guard !known.contains(key.lowercased()), let guess = KeyGuess.nearest(to: key, among: known) else {
                    return nil
                }
                return RuleFinding(
                    node[key], "\(VisibleText.quoted(key)) is not a header of APNs; did you mean \(guess)?",
                    fix: "Rename it to \(guess)")
            }
        }
    }

    private static let pushType = LintRule.single(
        "push-type", .error, "`apns-push-type` is not one of Apple's types.", source: page
    ) { subject in
        guard let node = subject.header("apns-push-type"), let value = node.value else { return nil }
        guard !types.contains(value.string ?? "") else { return nil }
        let guess = value.string.flatMap { KeyGuess.nearest(to: $0, among: types) }
        return RuleFinding(
            node, "apns-push-type is not one of Apple's types" + (guess.map { "; did you mean \($0)?" } ?? ""),
            fix: "Write one of: \(types.joined(separator: ", "))")
    }

    private static let typeDisagrees = LintRule.single(
        "push-type-disagrees", .error,
        "`apns-push-type` does not agree with the payload. The type must be `background` for a silent push, `alert` for a visible push, and `liveactivity` for a Live Activity.",
        source: page + " If the type and the payload do not agree, the notification can be delayed or lost."
    ) { subject in
        guard let node = subject.header("apns-push-type"), let type = node.string,
            let push = subject.pushes.first(where: { $0.place == .top || $0.place == .fcm }), push.aps.object != nil
        else { return nil }
        let shows = push.hasVisibleAlert || ["badge", "sound"].contains { (push.aps[$0].value ?? .null) != .null }
        let right = push.isLiveActivity ? "liveactivity" : push.isSilent ? "background" : shows ? "alert" : type
        guard ["alert", "background", "liveactivity"].contains(type), type != right else { return nil }
        return RuleFinding(
            node, "apns-push-type is \(type), but the payload has the type \(right)",
            fix: "Write \"apns-push-type\": \"\(right)\"")
    }

    private static let priority = LintRule.single(
        "priority", .error, "`apns-priority` is not 10, 5 or 1.", source: page
    ) { subject in
        guard let node = subject.header("apns-priority"), let value = node.value else { return nil }
        guard ![10, 5, 1].contains(node.looseInteger) else { return nil }
        return RuleFinding(
            node, "apns-priority is \(value.identifier.map { VisibleText.quoted($0) } ?? value.typeName)",
            fix: "Write 10, 5 or 1")
    }

    private static let backgroundPriority = LintRule.single(
        "background-priority", .error, "A background push has the priority 10.",
        source: page + " The priority of a background push must be 5."
    ) { subject in
        guard let node = subject.header("apns-priority"), node.looseInteger == 10 else { return nil }
        let isSilent = subject.pushes.contains { ($0.place == .top || $0.place == .fcm) && $0.isSilent }
        guard isSilent || subject.header("apns-push-type")?.string == "background" else { return nil }
        return RuleFinding(node, "a background push has apns-priority 10", fix: "Write \"apns-priority\": \"5\"")
    }

    private static let collapseID = LintRule.single(
        "collapse-id-too-long", .error, "`apns-collapse-id` is longer than 64 bytes.", source: page
    ) { subject in
        guard let node = subject.header("apns-collapse-id"), let text = node.string, text.utf8.count > 64 else {
            return nil
        }
        return RuleFinding(
            node, "apns-collapse-id has \(text.utf8.count) bytes, and the limit is 64",
            fix: "Write a shorter id, for example a digest")
    }

    private static let expiration = LintRule.single(
        "expiration-passed", .warning,
        "The time in `apns-expiration` has passed. APNs tries to deliver the notification once and does not store it.",
        source: page + " The value is a time in seconds since 1970. The value 0 also means that APNs tries only once."
    ) { subject in
        guard let node = subject.header("apns-expiration"), let seconds = node.looseDouble, seconds != 0,
            seconds < subject.linter.date.timeIntervalSince1970
        else { return nil }
        return RuleFinding(node, "apns-expiration has passed", fix: "Write a later time in seconds since 1970, or 0")
    }
}
