package import Base
import NotificationModel

/// A JSON Schema (draft 2020-12) with the keywords that the schemas in `docs/schema` use.
///
/// The whole schema is read before a value is checked. Unknown keywords, invalid values of keywords, invalid patterns
/// and missing references are errors. No part of a schema is silently ignored. `format` is an assertion. Patterns match
/// code points, as those of ECMAScript do with the flag `u`.
package struct JSONSchema {
    private let root: JSONSubschema
    private let definitions: [String: JSONSubschema]

    /// - Throws: A `JSONSchemaError` for a part that is not supported, with its path in the schema.
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

    /// Returns all violations of a value, in the order of the schema's keywords; an empty list if the value is valid.
    package func violations(of value: JSONValue) -> [JSONSchemaViolation] {
        var check = JSONSchemaCheck(definitions: definitions)
        check.check(value, at: .root, against: root)
        return check.violations
    }
}
