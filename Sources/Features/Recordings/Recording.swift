import Base
import Digests
package import LinuxIO
package import NotificationModel

/// A recorded request: a scenario that `lab run` plays, with the files that it names.
///
/// **Input.** A request, its result, and the settings in force. **Output.** The text of the scenario, and the bytes of its
/// files. The scenario expects the outcome and the reason of the result, and a time like that of the result.
///
/// **Left out.** Secrets (`URLRedaction`, `PayloadRedaction`), the recipient's name, labels, callbacks, header fields that
/// are not in an allow-list, and credentials of the configuration. The texts of the payload stay.
///
/// To add a new key of the recorded scenarios, do this: add it to the ``ScenarioDocument`` in the initializer, as a key
/// that `ScenarioReader` knows. `RecordingTests` compares the whole text. A value that may have secrets first passes
/// ``URLRedaction`` or `PayloadRedaction`, whose `secretNames` list the names of secret values.
package struct Recording: Sendable {
    /// The name of the directory with the files that scenarios share.
    static let files = "files"
    /// The header fields of APNs that stay. They decide how a payload is read, and have no secret.
    package static let headers = [
        "apns-collapse-id", "apns-expiration", "apns-priority", "apns-push-type", "apns-topic",
    ]
    /// The size of the largest body that is kept, in bytes. A larger body is cut.
    package static let maxBodyBytes = 16 << 20
    /// The size of all bodies of the largest recording, in bytes. They are in memory at a time.
    package static let maxBytes = 64 << 20
    /// The size of the largest payload and of the largest scenario, in bytes. `lab run` reads no larger ones.
    package static let maxTextBytes = 1 << 20

    /// The reason why a request is not recorded.
    package enum Refusal: Error, Sendable, Equatable {
        /// The payload, the scenario or its bodies are too large, or a text is one that a scenario would replace.
        case notRepresentable
    }

    let label: RecordingLabel
    /// The text of the scenario, which follows the label in its file.
    let text: String
    /// The bytes of the files by their names.
    let contents: [String: [UInt8]]
    /// The size of the scenario and of its files, in bytes.
    var byteCount: Int { contents.values.reduce(text.utf8.count) { $0 + $1.count } }

    /// Returns whether a result is recorded. Failures that come from the state of the daemon itself are not, because no
    /// origin can repeat them.
    package static func isWanted(_ notification: ProcessedNotification, of request: NotificationRequest) -> Bool {
        guard !request.isWarming, let reason = notification.reason else { return false }
        switch notification.outcome {
        case .rich, .cancelled, .passthrough: return false
        case .partial, .fallback, .expired, .rejected, .prefetched: break
        }
        switch reason {
        case .cancelled, .hostResting, .overloaded, .workerCrashed, .storageFailed, .duplicateID, .internal,
            .invalidPayload:
            return false
        default: return true
        }
    }

    /// - Parameter settings: The settings of the configuration that the replay needs, by their keys.
    package init(
        _ notification: ProcessedNotification, of request: NotificationRequest, _ names: RecordingNames,
        settings: [(key: String, value: String)], readBody: (MediaFile, Int) throws -> [UInt8]
    ) throws {
        var contents: [String: [UInt8]] = [:]
        func keep(_ bytes: [UInt8], _ suffix: String) -> String {
            let name = "\(Hexadecimal.text(of: SHA256.hash(bytes))).\(suffix)"
            contents[name] = bytes
            return "\(Self.files)/\(name)"
        }
        var redaction = PayloadRedaction(media: notification.verdicts.map(\.url))
        let envelope = Self.envelope(of: request, &redaction)
        let payload = JSONWriter.bytes(of: .object(envelope))
        guard payload.count <= Self.maxTextBytes else { throw Refusal.notRepresentable }
        let budget = notification.timing.budget
        let origin = try RecordedOrigin(
            notification.verdicts, budget: budget, redacting: &redaction.urls
        ) { body, suffix in
            let count = min(body.byteCount, Self.maxBodyBytes)
            guard contents.values.reduce(count, { $0 + $1.count }) <= Self.maxBytes else {
                throw Refusal.notRepresentable
            }
            let bytes = try body.file.map { try readBody($0, count) } ?? []
            return keep(bytes + (body.isPadded ? [0] : []), suffix)
        }
        var document = ScenarioDocument()
        let reason = notification.reason?.rawValue
        document.add("name", "\(request.id): \([notification.outcome.rawValue, reason ?? ""].joined(separator: " "))")
        document.add("source", "recorded by appgroupd")
        document.add("payload", keep(payload, "json"))
        if !origin.rules.isEmpty { document.add("origin", .map(origin.rules)) }
        if !origin.hosts.isEmpty {
            document.add("hosts", .map(origin.hosts.map { ScenarioMember($0.host, .map($0.faults)) }))
        }
        if !settings.isEmpty {
            document.add("configuration", .map(settings.map { ScenarioMember($0.key, .text($0.value)) }))
        }
        document.add("now", JSONValue.timestamp(request.receivedAt).string)
        document.add("budget", "\(Int(budget.milliseconds.rounded()))ms")
        document.add("profile", request.profile.name)
        document.add(
            "expect",
            .mapping(
                ("outcome", .text(notification.outcome.rawValue)), ("reason", .text(reason ?? "none")),
                ("within", .text(TimingClass(notification.timing).text))))
        let text = document.text
        guard text.utf8.count <= Self.maxTextBytes, !text.contains("{{") else { throw Refusal.notRepresentable }
        self.text = text
        self.contents = contents
        label = RecordingLabel(group: request.appGroup.description, names: names, files: contents.keys.sorted())
    }

    /// Returns the envelope with the settings that were in force, whichever layer had stated them.
    private static func envelope(of request: NotificationRequest, _ redaction: inout PayloadRedaction) -> JSONObject {
        var envelope = JSONObject()
        if let dialect = request.dialect { envelope.append("dialect", .string(dialect.description)) }
        if let policy = request.onExpiry { envelope.append("onExpiry", .string(policy.rawValue)) }
        var permissions = JSONObject()
        for permission in Permission.allCases where request.permissions[permission] != Permissions()[permission] {
            permissions.append(permission.rawValue, .bool(request.permissions[permission]))
        }
        if request.permissions.unknownNetwork != Permissions().unknownNetwork {
            permissions.append("unknownNetwork", .string(request.permissions.unknownNetwork.rawValue))
        }
        if !permissions.isEmpty { envelope.append("permissions", .object(permissions)) }
        if let network = request.network { envelope.append("network", .string(network.rawValue)) }
        if let locale = request.locale { envelope.append("locale", .string(locale)) }
        if request.priority != 10 { envelope.append("priority", .number(request.priority)) }
        let fields = request.headers.members.filter { headers.contains($0.key.lowercased()) }
        if !fields.isEmpty {
            envelope.append("headers", redaction.value(.object(JSONObject(members: fields))))
        }
        if let fallback = request.fallback {
            let texts = [("title", fallback.title), ("subtitle", fallback.subtitle), ("body", fallback.body)]
            envelope.append(
                "fallback",
                redaction.value(
                    .object(JSONObject(texts.compactMap { key, text in text.map { (key, JSONValue.string($0)) } }))))
        }
        envelope.append("payload", redaction.value(.object(request.payload)))
        return envelope
    }
}

/// The class of a result's time: about as early as the recorded one. A replay takes other work, and decodes on another
/// machine, so the class has some room on both sides.
struct TimingClass {
    private static let share = 0.3
    private static let (lessEarly, moreLate) = (Duration.milliseconds(200), Duration.seconds(1))

    let text: String

    init(_ timing: ProcessedNotification.Timing) {
        let least = timing.elapsed * (1 - Self.share) - Self.lessEarly
        let most = timing.elapsed * (1 + Self.share) + Self.moreLate
        text = "\(Int(max(.zero, least).milliseconds))ms..\(Int(most.milliseconds.rounded(.up)))ms"
    }
}
