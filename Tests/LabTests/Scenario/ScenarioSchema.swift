import Base
import Foundation
import OriginFaults
import Scenarios
import TestSupport
import Testing

/// The JSON Schema of scenarios, with the text around the keys of each of its mappings.
enum ScenarioSchema {
    /// A mapping of the schema.
    struct Mapping: Sendable, CustomTestStringConvertible {
        /// The place of the keys in the schema.
        var place: String
        /// The text before and after the keys in a scenario.
        var before: String
        var after: String
        /// The name of the mapping in messages.
        var subject: String

        var testDescription: String { subject }
        var isOrigin: Bool { place == "/$defs/fault/properties" }

        /// Returns a scenario with one key in this mapping. The key is in the first line.
        func text(_ key: String, _ value: String) -> String {
            let needsPayload = !before.hasPrefix("payloads") && !key.hasPrefix("payload")
            return "\(start(key))\(key): \(value)\(after)" + (needsPayload ? "\npayload: {aps: {alert: Hi}}" : "")
        }

        /// Returns the column of a key in ``text(_:_:)``, from 1.
        func column(_ key: String) -> Int { start(key).count + 1 }

        private func start(_ key: String) -> String {
            key == "payload" ? before.replacing("payload: {a: 1}, ", with: "") : before
        }
    }

    static let mappings = [
        Mapping(place: "/properties", before: "", after: "", subject: "a scenario"),
        Mapping(place: "/properties/nse/properties", before: "nse: {", after: "}", subject: "nse"),
        Mapping(
            place: "/properties/nse/properties/secondCall/properties", before: "nse: {secondCall: {", after: "}}",
            subject: "secondCall"),
        Mapping(
            place: "/$defs/payload/properties", before: "payloads: [{payload: {a: 1}, ", after: "}]",
            subject: "a payload"),
        Mapping(place: "/$defs/expect/properties", before: "expect: {", after: "}", subject: "expect"),
        Mapping(
            place: "/$defs/expect/properties/phone/properties", before: "expect: {phone: {", after: "}}",
            subject: "phone"),
        Mapping(
            place: "/$defs/expect/properties/verdicts/additionalProperties/anyOf/1/properties",
            before: "expect: {verdicts: {media-1: {", after: "}}}", subject: "a verdict"),
        Mapping(
            place: "/$defs/attachment/properties", before: "expect: {attachments: [{", after: "}]}",
            subject: "an attachment"),
        Mapping(place: "/$defs/link/properties", before: "network: {", after: "}", subject: "network"),
        Mapping(
            place: "/$defs/link/properties/outage/properties", before: "network: {outage: {", after: "}}",
            subject: "outage"),
        Mapping(place: "/$defs/host/properties", before: "hosts: {a.example: {", after: "}}", subject: "a host"),
        Mapping(place: "/$defs/fault/properties", before: "origin: {/a.jpg: {", after: "}}", subject: "the origin"),
    ]

    static let root: JSONValue = {
        let file = URL(filePath: Fixtures.project + "/docs/schema/scenario.schema.json")
        return (try? Data(contentsOf: file)).flatMap { try? JSONParser.value(of: Array($0)) } ?? .null
    }()

    /// Returns the keys of a mapping with their schemas. The keys of the origin are its faults, `file` and `type`.
    static func keys(of mapping: Mapping) -> [(key: String, schema: JSONValue)] {
        let value = mapping.place.split(separator: "/").reduce(root) { value, part in
            if let index = Int(part), let array = value.array {
                return array.indices.contains(index) ? array[index] : .null
            }
            return value.object?[String(part)] ?? .null
        }
        let keys = (value.object?.members ?? []).map { (key: $0.key, schema: $0.value) }
        let faults = Set(FaultReference.entries.map { String($0.path.dropFirst().prefix { $0 != "/" }) })
        return keys + (mapping.isOrigin ? faults.sorted().map { (key: $0, schema: JSONValue.null) } : [])
    }

    /// Returns the places of all mappings below a value of the schema.
    static func places(below value: JSONValue, at place: String = "") -> [String] {
        switch value {
        case .object(let object):
            object.members.flatMap { member -> [String] in
                let inner = "\(place)/\(member.key)"
                let isMapping = member.key == "properties" && !place.hasSuffix("/properties")
                return (isMapping ? [inner] : []) + places(below: member.value, at: inner)
            }
        case .array(let elements):
            elements.enumerated().flatMap { places(below: $0.element, at: "\(place)/\($0.offset)") }
        default: []
        }
    }

    /// Returns the mistakes of a scenario, each with its line and column.
    static func mistakes(in text: String) -> [String] {
        do {
            _ = try ScenarioReader.scenario(text, file: "a/slow.yaml", variables: [:])
            return []
        } catch {
            return error.all.map { "\($0.mark.line):\($0.mark.column) \($0.text)" }
        }
    }
}
