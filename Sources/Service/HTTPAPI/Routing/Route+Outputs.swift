package import Base

extension Route {
    /// A response of a call that succeeds, for the OpenAPI document.
    package struct Output: Sendable {
        package let status: Int
        package let meaning: String
        /// The media type of the body; `nil` if the response has no body.
        package var type: String?
        package var schema: JSONValue?

        package init(status: Int, meaning: String, type: String? = nil, schema: JSONValue? = nil) {
            self.status = status
            self.meaning = meaning
            self.type = type
            self.schema = schema
        }

        package static let result = json("The result.", .component("Result"))
        package static let text = Output(
            status: 200, meaning: "A text for people or for Prometheus.", type: "text/plain", schema: .anyText)

        /// Creates a response with JSON.
        package static func json(status: Int = 200, _ meaning: String, _ schema: JSONValue) -> Output {
            Output(status: status, meaning: meaning, type: "application/json", schema: schema)
        }

        /// Creates a response with lines of JSON.
        package static func lines(_ meaning: String) -> Output {
            Output(status: 200, meaning: meaning, type: "application/x-ndjson", schema: .anyText)
        }
    }

    /// An example of a body, with its media type and its schema.
    package struct BodyExample: Sendable {
        package let type: String
        package let schema: JSONValue
        package let value: JSONValue

        package init(type: String, schema: JSONValue, value: JSONValue) {
            self.type = type
            self.schema = schema
            self.value = value
        }

        package static let notification = BodyExample(
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

        /// Creates an example of lines of JSON.
        package static func lines(_ text: String) -> BodyExample {
            BodyExample(type: "application/x-ndjson", schema: .anyText, value: .string(text))
        }
    }
}

extension JSONValue {
    /// A reference to a schema of the OpenAPI document.
    package static func component(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    package static func orNull(_ schema: JSONValue) -> JSONValue { ["anyOf": [schema, ["type": "null"]]] }

    /// The schema of an object with exactly these members, all of which are present.
    package static func object(of members: JSONObject) -> JSONValue {
        [
            "type": "object", "required": .array(members.keys.map { .string($0) }), "additionalProperties": false,
            "properties": .object(members),
        ]
    }
}
