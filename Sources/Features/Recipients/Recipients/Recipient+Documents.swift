import Base
import FoundationEssentials
import HTTPAPI
import NotificationModel

extension Recipient {
    /// The recipient as responses show it.
    var json: JSONValue {
        var object: JSONObject = [
            "id": .string(id.name), "group": .string(id.group.description), "hash": .string(hash),
        ]
        for member in document.members.members { object.append(member.key, member.value) }
        let style = Date.ISO8601FormatStyle()
        object.append(
            "dead",
            .array(
                document.dead.map { dead in
                    [
                        "name": .string(dead.name), "since": .string(dead.since.formatted(style)),
                        "replacement": dead.replacement.map { .string($0) } ?? .null,
                    ]
                }))
        object.append("version", .number(JSONNumber(version)))
        object.append("updatedAt", .string(updatedAt.formatted(style)))
        return .object(object)
    }
}

extension Route.Output {
    static let recipient = json("The receiver. `ETag` has its version.", .component("Recipient"))
    static let recipientCreated = json(status: 201, "The receiver is new.", .component("Recipient"))
}

extension Route.BodyExample {
    private static let schema: JSONValue = [
        "type": "object", "description": "The members that docs/use/recipients.md lists.",
    ]
    static let recipient = Route.BodyExample(
        type: "application/json", schema: schema,
        value: ["permissions": ["download": false], "locale": "de-AT", "names": ["anna@example.com"]])
    static let recipientPatch = Route.BodyExample(
        type: "application/merge-patch+json", schema: schema, value: ["permissions": ["service": false, "sound": nil]])
    static let recipientLines = lines("{\"id\":\"anna\",\"permissions\":{\"service\":false}}\n")
}

extension RecipientRoutes {
    /// The schema of a recipient in responses.
    static let schema: JSONValue = .object(of: [
        "id": .anyText, "group": .anyText, "hash": ["type": "string", "pattern": "^[0-9a-f]{32}$"],
        "permissions": [
            "type": "object", "additionalProperties": false,
            "properties": .object(
                JSONObject(Permission.allCases.map { ($0.rawValue, ["type": "boolean"] as JSONValue) })),
        ], "locale": .anyTextOrNull, "names": ["type": "array", "items": .anyText],
        "labels": ["type": "array", "items": .anyText],
        "dead": [
            "type": "array",
            "items": .object(of: ["name": .anyText, "since": .anyText, "replacement": .anyTextOrNull]),
        ], "version": .component("Count"), "updatedAt": .anyText,
    ])
}
