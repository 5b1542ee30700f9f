import Base
import HTTPAPI
import HTTPTypes
import NotificationModel

/// A named message as responses show it.
extension NamedMessage {
    var json: JSONValue {
        let hasFailed = preparations.contains(where: \.state.hasFailed)
        let state = isPreparing ? "preparing" : hasFailed ? "failed" : "ready"
        return [
            "name": .string(key.name.description), "group": .string(key.group.description),
            "version": .number(version), "state": .string(state),
            "profiles": .object(JSONObject(preparations.map { ($0.profile.name, $0.state.json) })),
            "updatedAt": .timestamp(updatedAt), "expiresAt": .timestamp(expiresAt),
        ]
    }

    /// The version as a strong entity tag.
    var entityTag: String { "\"\(version)\"" }

    /// The profile of callers that name none.
    var profile: MediaProfile { preparations.first?.profile ?? .ios }
}

extension NamedMessage.State {
    fileprivate var json: JSONValue {
        switch self {
        case .preparing: ["state": "preparing", "outcome": .null, "reason": .null, "problem": .null]
        case .prepared(let outcome, let reason):
            [
                "state": hasFailed ? "failed" : "ready", "outcome": .string(outcome.rawValue),
                "reason": .text(reason?.rawValue), "problem": .null,
            ]
        case .refused(let problem):
            ["state": "failed", "outcome": .null, "reason": .null, "problem": .string(problem)]
        }
    }
}

extension Problem {
    /// Creates the problem of a message that was refused, or that does not exist.
    init(_ answer: MessageAnswer, about key: MessageKey) {
        switch answer {
        case .otherVersion(let version):
            self.init(
                .otherVersion,
                version.map { "The message has the version \($0)." } ?? "The message does not exist.",
                members: ["version": version.map { JSONValue.number($0) } ?? .null])
        case .unusable(let error):
            self.init(
                error.isForbidden ? .forbidden : .unusable, VisibleText.sentence("\(error)"),
                members: ["key": .string(error.key)])
        case .wrongExpiry(let latest):
            self = .parameter(
                "expires", "must be in the future, and at most \(Int(latest.seconds)) s away (messages.retention).")
        case .full(let sentence):
            self.init(.full, "\(sentence) Try again in 60 s.", headers: [.retryAfter: "60"])
        case .closing: self = .ending
        case .failed: self.init(.storageFailed, "The messages could not be read or written. Try again later.")
        case .unknown, .removed, .stored:
            self.init(
                .notFound, "The group \(key.group) has no message of the name '\(key.name)'.",
                members: ["name": .string(key.name.description)])
        }
    }
}

extension MessageRoutes {
    /// The schema of the state of a named message.
    static let schema: JSONValue = {
        let state: JSONValue = ["type": "string", "enum": ["preparing", "ready", "failed"]]
        let text: JSONValue = ["type": ["string", "null"]]
        return .object(of: [
            "name": .anyText, "group": .anyText, "version": .component("Count"), "state": state,
            "profiles": [
                "type": "object",
                "additionalProperties": .object(of: [
                    "state": state, "outcome": text, "reason": text, "problem": text,
                ]),
            ],
            "updatedAt": .anyText, "expiresAt": .anyText,
        ])
    }()
}
