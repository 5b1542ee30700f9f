import Base
import NotificationModel
import NotificationProcessor

/// The rules for the size of a payload and the number of its media.
enum SizeRules {
    static let all = [tooLarge, tooLargeAsWritten, tooManyMedia]

    /// A limit of a push service for the size of a value.
    private struct Limit {
        let node: JSONNode
        /// The size of the value as compact JSON, in bytes.
        let byteCount: Int
        let most: Int
        let of: String
    }

    private static let tooLarge = LintRule.each(
        limits(of:), "payload-too-large", .error,
        "The payload exceeds the limit of its push service: 4,096 bytes for APNs (5,120 for VoIP), 4,096 for FCM, 3,993 for web push. White space does not count.",
        source: """
            Sources: Apple, "Generating a remote notification"; Firebase, "FCM message types"; RFC 8291 §4: 4,096 octets, \
            minus the octets that the encryption adds.
            """
    ) { limit, _ in
        guard limit.byteCount > limit.most else { return nil }
        return RuleFinding(
            limit.node,
            "the payload has \(limit.byteCount.grouped) bytes, and the limit of \(limit.of) is \(limit.most.grouped); the longest values: "
                + longest(in: limit.node),
            fix: "Remove \((limit.byteCount - limit.most).grouped) bytes: let the app fetch long values")
    }

    private static let tooLargeAsWritten = LintRule(
        "payload-too-large-as-written", .warning,
        "The payload exceeds the limit of its push service only because of its white space.",
        source: "Push services count all bytes that they receive, including white space."
    ) { subject in
        let written = subject.writtenBytes
        return limits(of: subject).filter { $0.node.path == subject.payload.path && $0.byteCount <= $0.most }
            .filter { written > $0.most }.map { limit in
                RuleFinding(
                    limit.node,
                    "the payload has \(written.grouped) bytes, and \(limit.byteCount.grouped) without white space; the limit of \(limit.of) is \(limit.most.grouped)",
                    fix: "Send the payload without white space")
            }
    }

    private static let tooManyMedia = LintRule.single(
        "too-many-media", .warning, "The payload has more than 32 media items.",
        source: "appgroupd uses the first 32 media items. No platform shows more than 32 in one notification."
    ) { subject in
        let most = MediaPlan.maxMedia
        guard subject.media.count > most else { return nil }
        return RuleFinding(
            subject.media[most].path,
            "there are \(subject.media.count) media items; only the first \(most) are used, so this one and the next ones are left out",
            fix: "Write at most \(most) media items")
    }

    private static func limits(of subject: LintSubject) -> [Limit] {
        if subject.isTooLong { return limits(ofTooLong: subject.weighed) }
        let payload = subject.payload
        var limits: [Limit] = []
        func add(_ node: JSONNode, _ most: Int, _ of: String) {
            guard let value = node.value else { return }
            limits.append(Limit(node: node, byteCount: count(value), most: most, of: of))
        }
        for push in subject.pushes {
            guard let node = push.payload else { continue }
            let isVoIP = subject.header("apns-push-type")?.string == "voip"
            add(node, isVoIP ? 5_120 : 4_096, isVoIP ? "APNs (VoIP)" : "APNs")
        }
        if subject.reading.isFCMMessage {
            let message = subject.message
            let parts = ["notification", "data"].compactMap { message[$0].value }
            let sum = parts.reduce(0) { $0 + count($1) }
            limits.append(Limit(node: message, byteCount: sum, most: 4_096, of: "FCM for notification and data"))
        }
        if subject.isRead(as: "webpush") { add(payload, 3_993, "web push") }
        return limits
    }

    /// Returns the limits for an object that is too long to be checked. The payload's dialect is not detected, because
    /// no push service accepts an object of this size.
    private static func limits(ofTooLong object: JSONNode) -> [Limit] {
        let isEnvelope = object.object.map { EnvelopeKeys.isEnvelope($0) } == true
        let payload = isEnvelope ? object["payload"] : object
        let services = [("aps", 4_096, "APNs"), ("message", 4_096, "FCM"), ("web_push", 3_993, "web push")]
        guard let value = payload.value, let service = services.first(where: { payload[$0.0].exists }) else {
            return []
        }
        return [Limit(node: payload, byteCount: count(value), most: service.1, of: service.2)]
    }

    private static func count(_ value: JSONValue) -> Int { JSONWriter.bytes(of: value).count }

    /// Returns the positions and sizes of the three longest values. Members of nested objects are separate.
    private static func longest(in node: JSONNode) -> String {
        var leaves: [(pointer: String, byteCount: Int)] = []
        func gather(_ value: JSONValue, _ path: JSONPath) {
            guard let object = value.object, !object.isEmpty else {
                leaves.append((path.description, count(value)))
                return
            }
            for member in object.members { gather(member.value, path.appending(.key(member.key))) }
        }
        if let value = node.value { gather(value, node.path) }
        return leaves.enumerated().sorted { ($1.element.byteCount, $0.offset) < ($0.element.byteCount, $1.offset) }
            .prefix(3).map { "\(VisibleText.short($0.element.pointer, most: 80)) \($0.element.byteCount.grouped)" }
            .joined(separator: ", ")
    }
}
