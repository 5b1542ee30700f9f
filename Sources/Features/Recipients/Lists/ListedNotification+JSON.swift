import Base
import FoundationEssentials
import HTTPAPI
import NotificationModel

extension ListedNotification {
    var json: JSONValue {
        [
            "id": .string(key.id.description), "appGroup": .string(key.group.description),
            "emittedAt": .string(emittedAt.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            "outcome": .string(outcome.rawValue), "reason": .text(reason?.rawValue), "provider": .text(names.provider),
            "providerId": .text(names.providerID), "recipient": .text(names.recipient), "thread": .text(names.thread),
            "labels": .array(names.labels.map { .string($0) }),
            "receipts": .object(
                JSONObject(
                    Receipt.Event.allCases.compactMap { event in
                        receipts[event].map { (event.rawValue, .timestamp($0)) }
                    })),
        ]
    }

    /// Returns the notification with its result, or with null if the result is no longer kept.
    func json(with content: [UInt8]?) -> JSONValue {
        var object = json.object ?? [:]
        object.append("content", content.flatMap { try? JSONParser.value(of: $0) } ?? .null)
        return .object(object)
    }
}

extension ListRoutes {
    /// The schema of a listed notification. It has a content only if the caller asks for it.
    static let schema: JSONValue = [
        "type": "object", "required": ["id", "appGroup", "emittedAt", "outcome"],
        "properties": [
            "id": .anyText, "appGroup": .anyText, "emittedAt": .anyText, "outcome": .anyText, "reason": .anyTextOrNull,
            "provider": .anyTextOrNull, "providerId": .anyTextOrNull, "recipient": .anyTextOrNull,
            "thread": .anyTextOrNull, "labels": ["type": "array", "items": .anyText],
            "receipts": [
                "type": "object", "additionalProperties": false,
                "properties": .object(JSONObject(Receipt.Event.allCases.map { ($0.rawValue, JSONValue.anyText) })),
            ], "content": ["anyOf": [.component("Result"), ["type": "null"]]],
        ],
    ]
}
