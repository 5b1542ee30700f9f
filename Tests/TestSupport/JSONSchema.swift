package import JSON
import NotificationModel

/// A JSON Schema (draft 2020-12), of the keywords that the schemas in `docs/schema` have and no others.
///
/// The whole schema is read before anything is checked against it: a keyword that is not known here, a value that its
/// keyword cannot have, a pattern that is none and a reference to nowhere are errors, so that nothing is passed over in
/// silence. `format` is an assertion. Patterns match code points, as ECMAScript's do with the flag `u`.
package struct JSONSchema {
    private let root: JSONSubschema
    private let definitions: [String: JSONSubschema]

    /// - Throws: `JSONSchemaError` for what is not understood, with its place in the schema.
    package init(_ value: JSONValue) throws {
        let reader = JSONSchemaReader()
        var definitions: [String: JSONSubschema] = [:]
        for definition in JSONNode(value)["$defs"].members {
            definitions[definition.key] = try reader.subschema(definition.node)
        }
        root = try reader.subschema(JSONNode(value))
        self.definitions = definitions
        for reference in reader.references where definitions[reference.name] == nil {
            throw JSONSchemaError(place: reference.place, problem: "there is no definition \"\(reference.name)\"")
        }
    }

    /// All that a value does against the schema, in the order of the schema's keywords; none where it is valid.
    package func violations(of value: JSONValue) -> [JSONSchemaViolation] {
        var check = JSONSchemaCheck(definitions: definitions)
        check.check(value, at: .root, against: root)
        return check.violations
    }
}
