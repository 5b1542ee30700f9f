import JSON

extension Route {
    /// A parameter of a route: its place in the head of a request, and its description for the OpenAPI document.
    struct Parameter: Sendable {
        enum Place: String, Sendable { case path, query, header }

        let name: String
        let place: Place
        let meaning: String
        let schema: JSONValue

        static let id = Parameter(
            name: "id", place: .path, meaning: "The id of the request.",
            schema: ["type": "string", "pattern": .string("^[A-Za-z0-9_\\-:@+=][A-Za-z0-9._\\-:@+=]{0,127}$")])
        static let group = Parameter(
            name: "group", place: .query, meaning: "The app group. The default is `group.default`.",
            schema: ["type": "string", "pattern": .string("^[A-Za-z0-9\\-][A-Za-z0-9.\\-]{0,127}$")])
        static let by = Parameter(
            name: "by", place: .query, meaning: "Whether the id is the id of a request, or the provider's id.",
            schema: ["type": "string", "enum": ["id", "provider"], "default": "id"])
        static let wait = Parameter(
            name: "wait", place: .query,
            meaning: "The longest wait for the result, such as `2s` or `500ms`, at most an hour.",
            schema: ["type": "string", "pattern": .string("^[0-9]+(\\.[0-9]+)?(ms|s|m|h)$"), "default": "0s"])
        static let eventGroup = Parameter(
            name: "group", place: .query, meaning: "Only events of this app group are sent.",
            schema: ["type": "string", "pattern": .string("^[A-Za-z0-9\\-][A-Za-z0-9.\\-]{0,127}$")])
        static let outcome = Parameter(
            name: "outcome", place: .query,
            meaning: "Only emissions with one of these outcomes are sent, with commas between them.",
            schema: ["type": "string", "examples": ["fallback", "partial,fallback"]])
        static let prefer = Parameter(
            name: "Prefer", place: .header,
            meaning: "`respond-async` or `wait=SECONDS`: the response comes before the result (RFC 7240).",
            schema: ["type": "string", "examples": ["respond-async", "wait=0.5"]])
        static let idempotencyKey = Parameter(
            name: "Idempotency-Key", place: .header, meaning: "The id of the request.",
            schema: ["type": "string", "pattern": .string("^\"?[A-Za-z0-9_\\-:@+=][A-Za-z0-9._\\-:@+=]{0,127}\"?$")])
        static let requestTimeout = Parameter(
            name: "Request-Timeout", place: .header, meaning: "The budget in seconds, at most 3600.",
            schema: ["type": "number", "minimum": 0, "maximum": 3600])
        static let preferAsync = Parameter(
            name: "Prefer", place: .header,
            meaning: "`respond-async`: the batch is stored, and the response comes before the results (RFC 7240).",
            schema: ["type": "string", "examples": ["respond-async"]])
        static let batchKey = Parameter(
            name: "Idempotency-Key", place: .header, meaning: "The id of a stored batch.",
            schema: ["type": "string", "pattern": .string("^\"?[A-Za-z0-9_\\-:@+=][A-Za-z0-9._\\-:@+=]{0,127}\"?$")])
        static let dryRun = Parameter(
            name: "dry-run", place: .query,
            meaning: "Only a plan is made. `lint` sends nothing to any server, and `fetch` prepares the media.",
            schema: ["type": "string", "enum": ["lint", "fetch"]])
        static let batchID = Parameter(
            name: "id", place: .path, meaning: "The id of the batch.",
            schema: ["type": "string", "pattern": .string("^[A-Za-z0-9_\\-:@+=][A-Za-z0-9._\\-:@+=]{0,127}$")])
        static let after = Parameter(
            name: "after", place: .query, meaning: "The number of results that are left out, from the first one.",
            schema: ["type": "integer", "minimum": 0, "maximum": 4_294_967_296, "default": 0])
        static let kind = Parameter(
            name: "kind", place: .path, meaning: "The last part of the `type` of a problem.",
            schema: ["type": "string", "enum": .array(Problem.Kind.allCases.map { .string($0.rawValue) })])
        static let groupInPath = Parameter(
            name: "group", place: .path, meaning: "The app group.",
            schema: ["type": "string", "pattern": .string("^[A-Za-z0-9\\-][A-Za-z0-9.\\-]{0,127}$")])
        static let mediaFile = Parameter(
            name: "file", place: .path, meaning: "The name of the file: the SHA-256 of its bytes, and its extension.",
            schema: ["type": "string", "pattern": .string("^[0-9a-f]{64}\\.[a-z0-9]{2,5}$")])
        static let expires = Parameter(
            name: "expires", place: .query, meaning: "The end of a signed URL, in seconds since 1970.",
            schema: ["type": "string"])
        static let signature = Parameter(
            name: "signature", place: .query, meaning: "The signature of a signed URL.",
            schema: ["type": "string"])
        static let lastEventID = Parameter(
            name: "Last-Event-ID", place: .header, meaning: "The id of the last event that the client has received.",
            schema: ["type": "string", "maxLength": 256])

        var json: JSONValue {
            [
                "name": .string(name), "in": .string(place.rawValue), "required": .bool(place == .path),
                "description": .string(meaning), "schema": schema,
            ]
        }
    }
}
