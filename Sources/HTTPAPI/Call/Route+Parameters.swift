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
