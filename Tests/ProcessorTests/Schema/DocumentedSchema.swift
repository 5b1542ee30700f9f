import Base
import Foundation
import NotificationModel
import TestSupport
import Testing

/// A schema of `docs/schema`, as a value and as a checker.
struct DocumentedSchema {
    let value: JSONValue
    private let schema: JSONSchema

    static func envelope() throws -> DocumentedSchema { try DocumentedSchema("envelope") }
    static func content() throws -> DocumentedSchema { try DocumentedSchema("content") }

    private init(_ name: String) throws {
        let file = URL(filePath: Fixtures.directory).deletingLastPathComponent()
            .appending(path: "docs/schema/\(name).schema.json")
        value = try JSONParser.value(of: Array(try Data(contentsOf: file)))
        schema = try JSONSchema(value)
    }

    func violations(of value: JSONValue) -> [JSONSchemaViolation] { schema.violations(of: value) }

    /// Returns the strings of an `enum` in their order.
    func words(_ path: String...) throws -> [String] { try words(path) }
    func words(_ path: [String]) throws -> [String] { try values(path).compactMap(\.string) }

    /// Returns the whole numbers of an `enum` in their order.
    func numbers(_ path: String...) throws -> [Int] { try numbers(path) }
    func numbers(_ path: [String]) throws -> [Int] { try values(path).compactMap(\.integer) }

    private func values(_ path: [String]) throws -> [JSONValue] {
        let node = path.reduce(JSONNode(value)) { node, step in Int(step).map { node[$0] } ?? node[step] }
        return try #require(node["enum"].array, "\(node.path)")
    }

    /// The paths of properties without a description, in objects for which the schema permits no other properties.
    var undescribed: [JSONPath] { Self.undescribed(in: JSONNode(value)) }

    private static func undescribed(in node: JSONNode) -> [JSONPath] {
        let isClosed = node["additionalProperties"].bool == false
        let properties = isClosed ? node["properties"].members.map(\.node) : []
        let silent = properties.filter { ($0["description"].text ?? "").isEmpty }.map(\.path)
        return silent + (node.members.map(\.node) + node.elements).flatMap { undescribed(in: $0) }
    }
}
