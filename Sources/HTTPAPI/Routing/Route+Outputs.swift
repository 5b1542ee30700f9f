import JSON

extension Route {
    /// A response of a call that succeeds, for the OpenAPI document.
    struct Output: Sendable {
        let status: Int
        let meaning: String
        /// The media type of the body; `nil` if the response has no body.
        var type: String?
        var schema: JSONValue?

        static let result = Output(
            status: 200, meaning: "The result.", type: "application/json", schema: .component("Result"))
        static let stateOrResult = Output(
            status: 200, meaning: "The state of an unfinished request, or the result.", type: "application/json",
            schema: ["anyOf": [.component("Result"), .component("RequestState")]])
        static let accepted = Output(
            status: 202, meaning: "The request is durable, and `Location` is the path of its result.",
            type: "application/json", schema: .component("RequestState"))
        static let cancelled = Output(
            status: 200, meaning: "The requests with the provider's id that are cancelled.", type: "application/json",
            schema: .object(of: ["cancelled": ["type": "array", "items": .component("RequestKey")]]))
        static let done = Output(status: 204, meaning: "The result of the request is `cancelled`.")
        static let events = Output(
            status: 200, meaning: "Server-sent events, each with an id.", type: "text/event-stream",
            schema: ["type": "string"])
        static let lines = Output(
            status: 200, meaning: "One line of JSON for each item, in the order in which the items end.",
            type: "application/x-ndjson", schema: ["type": "string"])
        static let resultLines = Output(
            status: 200,
            meaning: "One line of JSON for each line of the batch, in the order in which the requests end.",
            type: "application/x-ndjson", schema: ["type": "string"])
        static let batchAccepted = Output(
            status: 202, meaning: "The batch is durable, and `Location` is the path of its state.",
            type: "application/json", schema: .component("Batch"))
        static let batchState = Output(
            status: 200, meaning: "The state of the batch.", type: "application/json", schema: .component("Batch"))
        static let batchCancelled = Output(
            status: 204, meaning: "No further line is read, and all requests of the batch have their results.")
        static let status = Output(
            status: 200,
            meaning: "The state of the daemon. Its figures are null for a token that does not permit all groups.",
            type: "application/json",
            schema: .object(of: [
                "version": ["type": "string"], "uptimeMs": .component("Count"), "ready": ["type": "boolean"],
                "draining": ["type": "boolean"],
                "load": .orNull(
                    .object(of: [
                        "running": .component("Count"), "queued": .component("Count"),
                        "accepted": .component("Count"),
                        "emitted": ["type": "object", "additionalProperties": .component("Count")],
                    ])),
                "recent": ["type": ["object", "null"]], "workers": ["type": ["object", "null"]],
                "restingHosts": ["type": ["object", "null"]], "sandbox": ["type": ["object", "null"]],
            ]))
        static let purged = Output(
            status: 200, meaning: "The numbers of responses, files and bytes that were removed.",
            type: "application/json",
            schema: .object(of: [
                "responses": .component("Count"), "files": .component("Count"), "bytes": .component("Count"),
                "sharedFiles": .component("Count"),
            ]))
        static let page = Output(
            status: 200, meaning: "The page, in Markdown.", type: "text/markdown", schema: ["type": "string"])
        static let media = Output(
            status: 200, meaning: "The bytes of the file.", type: "*/*", schema: ["type": "string", "format": "binary"])
        static let mediaPart = Output(
            status: 206, meaning: "The part of the file that `Range` asks for.", type: "*/*",
            schema: ["type": "string", "format": "binary"])
        static let notModified = Output(status: 304, meaning: "`If-None-Match` names the file.")
        static let permitted = Output(status: 204, meaning: "The methods and fields that pages may use.")
        static let text = Output(
            status: 200, meaning: "A text for people or for Prometheus.", type: "text/plain",
            schema: ["type": "string"])
        static let notReady = Output(
            status: 503, meaning: "The reason why the daemon is not ready.", type: "text/plain",
            schema: ["type": "string"])
        static let openAPI = Output(
            status: 200, meaning: "The document.", type: "application/json", schema: ["type": "object"])
    }

    /// An example of a body, with its media type and its schema.
    struct BodyExample: Sendable {
        let type: String
        let schema: JSONValue
        let value: JSONValue

        static let notification = BodyExample(
            type: "application/json",
            schema: [
                "type": "object",
                "description":
                    "A payload of any provider, or an envelope with `payload` and the keys of docs/use/envelope.md.",
            ],
            value: [
                "aps": ["alert": ["title": "Summer", "body": "Three days at sea"], "mutable-content": 1],
                "image": "https://media.example.com/1.jpg",
            ])
        static let warmLine = BodyExample(
            type: "application/x-ndjson", schema: ["type": "string"],
            value: "{\"url\":\"https://media.example.com/1.jpg\",\"profiles\":[\"ios\"]}\n")
        static let batch = BodyExample(
            type: "application/x-ndjson", schema: ["type": "string"],
            value: .string(
                "{\"template\":{\"payload\":{\"aps\":{\"alert\":{\"title\":\"Summer\",\"body\":\"Hello\"},\"mutable-content\":1},\"image\":\"https://media.example.com/1.jpg\"}}}\n"
                    + "{\"id\":\"summer-1\",\"recipient\":\"anna\",\"payload\":{\"aps\":{\"alert\":{\"body\":\"Hello Anna\"}}}}\n"
            ))
        static let purge = BodyExample(
            type: "application/json",
            schema: [
                "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
                "properties": [
                    "url": ["type": "string", "minLength": 1], "host": ["type": "string", "minLength": 1],
                    "prefix": ["type": "string", "minLength": 1],
                ],
            ],
            value: ["url": "https://media.example.com/1.jpg"])
    }
}

extension JSONValue {
    /// A reference to a schema of the OpenAPI document.
    static func component(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    static func orNull(_ schema: JSONValue) -> JSONValue { ["anyOf": [schema, ["type": "null"]]] }

    /// The schema of an object with exactly these members, all of which are present.
    static func object(of members: JSONObject) -> JSONValue {
        [
            "type": "object", "required": .array(members.keys.map { .string($0) }), "additionalProperties": false,
            "properties": .object(members),
        ]
    }
}
