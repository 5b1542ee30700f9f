import Base
import NotificationModel

/// A strict reader of schemas, which collects the references to definitions.
final class JSONSchemaReader {
    /// The keywords that describe the schema for people and programs, without an effect on the check.
    private static let annotations: Set<String> = ["$id", "title", "description", "default"]
    private static let draft: JSONValue = "https://json-schema.org/draft/2020-12/schema"

    private(set) var references: [(name: String, place: JSONPath)] = []

    func subschema(_ node: JSONNode) throws -> JSONSubschema {
        switch node.value {
        case .bool(true): return JSONSubschema([])
        case .bool(false): return JSONSubschema([(node.path, .nothing)])
        case .object(let object):
            guard Set(object.keys).count == object.keys.count else { throw error(node, "a keyword occurs twice") }
            return JSONSubschema(
                try node.members.compactMap { keyword, value in
                    try assertion(keyword, value, of: node).map { (value.path, $0) }
                })
        default: throw error(node, "a schema is an object, true or false")
        }
    }

    /// Returns the assertion of a keyword; `nil` if the keyword asserts nothing, or is read together with another one.
    private func assertion(
        _ keyword: String, _ node: JSONNode, of schema: JSONNode
    ) throws -> JSONSubschema.Assertion? {
        switch keyword {
        case "$schema": try expect(node.value == Self.draft, node, "another draft than 2020-12")
        case "$defs": try expect(node.object != nil && schema.path == .root, node, "definitions are at the root")
        case "type": return .types(try types(node))
        case "const": return .values([node.value ?? .null])
        case "enum":
            try expect(node.array?.isEmpty == false, node, "an array of values")
            return .values(node.array ?? [])
        case "required":
            try expect(node.array != nil, node, "no array of keys")
            return .required(try node.elements.map { try text($0) })
        case "properties": return try members(node, others: schema["additionalProperties"])
        case "additionalProperties":
            return schema["properties"].exists ? nil : try members(JSONNode([:]), others: node)
        case "items": return .items(try subschema(node))
        case "minItems": return .count(try count(node)...Int.max)
        case "maxItems": return .count(0...(try count(node)))
        case "minLength": return .length(try count(node)...Int.max)
        case "maxLength": return .length(0...(try count(node)))
        case "minimum": return .range(try number(node)...Double.infinity)
        case "maximum": return .range(-Double.infinity...(try number(node)))
        case "pattern": return try pattern(node)
        case "format":
            try expect(node.string == "date-time", node, "no format that is known")
            return .dateTime(DateTimeFormat())
        case "$ref": return .reference(try definition(node))
        case "allOf": return .all(try subschemas(node))
        case "anyOf": return .any(try subschemas(node))
        case "oneOf": return .one(try subschemas(node))
        case "not": return .not(try subschema(node))
        case "if":
            let (then, otherwise) = (schema["then"], schema["else"])
            return .condition(
                try subschema(node), then: then.exists ? try subschema(then) : nil,
                otherwise: otherwise.exists ? try subschema(otherwise) : nil)
        case "then", "else": try expect(schema["if"].exists, node, "there is no if beside it")
        default: try expect(Self.annotations.contains(keyword), node, "a keyword that is not known")
        }
        return nil
    }

    private func types(_ node: JSONNode) throws -> [JSONSubschema.TypeName] {
        let names = node.array == nil ? [node] : node.elements
        return try names.map { name in
            guard let type = JSONSubschema.TypeName(rawValue: try text(name)) else { throw error(name, "no type") }
            return type
        }
    }

    private func members(_ properties: JSONNode, others: JSONNode) throws -> JSONSubschema.Assertion {
        try expect(properties.object != nil, properties, "an object of schemas")
        let schemas = try properties.members.map { ($0.key, try subschema($0.node)) }
        return .members(
            Dictionary(uniqueKeysWithValues: schemas), others: others.exists ? try subschema(others) : nil)
    }

    private func subschemas(_ node: JSONNode) throws -> [JSONSubschema] {
        try expect(!node.elements.isEmpty, node, "an array of schemas")
        return try node.elements.map { try subschema($0) }
    }

    private func pattern(_ node: JSONNode) throws -> JSONSubschema.Assertion {
        let text = try text(node)
        do {
            return .pattern(try Regex(text).matchingSemantics(.unicodeScalar), text: text)
        } catch {
            throw self.error(node, "no pattern: \(error)")
        }
    }

    private func definition(_ node: JSONNode) throws -> String {
        let (text, prefix) = (try text(node), "#/$defs/")
        let name = String(text.dropFirst(prefix.count))
        try expect(text.hasPrefix(prefix) && !name.contains("/"), node, "no reference as \(prefix)NAME")
        references.append((name, node.path))
        return name
    }

    private func text(_ node: JSONNode) throws -> String {
        guard let text = node.string else { throw error(node, "no string") }
        return text
    }

    private func number(_ node: JSONNode) throws -> Double {
        guard let number = node.double else { throw error(node, "no number") }
        return number
    }

    private func count(_ node: JSONNode) throws -> Int {
        guard let count = node.integer, count >= 0 else { throw error(node, "no count") }
        return count
    }

    private func expect(_ condition: Bool, _ node: JSONNode, _ problem: String) throws {
        if !condition { throw error(node, problem) }
    }

    private func error(_ node: JSONNode, _ problem: String) -> JSONSchemaError {
        JSONSchemaError(place: node.path, problem: problem)
    }
}
