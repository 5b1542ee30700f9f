import Base
import Foundation
import Scenarios
import Testing

/// Tests that each key of a scenario has a message about a wrong name, a wrong type and a wrong place. The keys are those
/// of the JSON Schema, which must be those of the reader.
struct ScenarioKeyTests {
    typealias Mapping = ScenarioSchema.Mapping

    @Test func `the tests know each mapping of the JSON Schema`() {
        #expect(
            Set(ScenarioSchema.places(below: ScenarioSchema.root)) == Set(ScenarioSchema.mappings.map(\.place)))
        #expect(ScenarioSchema.mappings.reduce(0) { $0 + ScenarioSchema.keys(of: $1).count } > 90)
    }

    /// The keys that the reader knows are in its message about an unknown key.
    @Test(arguments: ScenarioSchema.mappings) func `the JSON Schema has the keys that the reader knows`(
        _ mapping: Mapping
    ) {
        let found = ScenarioSchema.mistakes(in: mapping.text("zzzzzz", "1")).first { $0.contains("zzzzzz") } ?? ""
        let list = found.split(separator: mapping.isOrigin ? "the faults are " : "its keys are: ").last ?? ""
        #expect(Set(list.components(separatedBy: ", ")) == Set(ScenarioSchema.keys(of: mapping).map(\.key)))
    }

    @Test(arguments: ScenarioSchema.mappings) func `a misspelt key is reported with the right one`(_ mapping: Mapping) {
        for (key, _) in ScenarioSchema.keys(of: mapping) {
            let wrong = key + "q"
            let found = ScenarioSchema.mistakes(in: mapping.text(wrong, "1"))
            let kind = mapping.isOrigin ? "is no fault: " : "is not a key of \(mapping.subject); "
            let start = "1:\(mapping.column(wrong)) \"\(wrong)\" \(kind)"
            #expect(
                found.contains { $0.hasPrefix(start) && $0.dropFirst(start.count).contains(key) }, "\(key): \(found)")
        }
    }

    @Test(arguments: ScenarioSchema.mappings) func `a value of a wrong type is reported with a right one`(
        _ mapping: Mapping
    ) {
        for (key, _) in ScenarioSchema.keys(of: mapping) {
            let value =
                switch key {
                case "attachments": "{a: 1}"
                case "payloads": "x"
                case "file", "type", "header": "[1]"
                default: mapping.isOrigin ? "{zzzzzz: 1}" : "[1]"
                }
            let found = ScenarioSchema.mistakes(in: mapping.text(key, value))
            let start = "1:\(mapping.column(key) + key.count + 2) "
            let remedies = ["must", "write", "did you mean", "such as"]
            #expect(
                found.contains { mistake in
                    mistake.hasPrefix(start) && remedies.contains { mistake.contains($0) }
                        && (mistake.contains(key) || mistake.contains("is no fault"))
                }, "\(key): \(found)")
        }
    }

    @Test(arguments: ScenarioSchema.mappings) func `a key in another mapping is reported`(_ mapping: Mapping) {
        for (key, _) in ScenarioSchema.keys(of: mapping) {
            let other = ScenarioSchema.mappings.first { other in
                !other.isOrigin && !ScenarioSchema.keys(of: other).contains { $0.key == key }
            }
            guard let other else { continue }
            let found = ScenarioSchema.mistakes(in: other.text(key, "1"))
            let start = "1:\(other.column(key)) \"\(key)\" is not a key of \(other.subject); "
            #expect(found.contains { $0.hasPrefix(start) }, "\(key): \(found)")
        }
    }

    /// A value that differs from all words of a key is reported with these words.
    @Test(arguments: ScenarioSchema.mappings) func `the JSON Schema has the words that the reader knows`(
        _ mapping: Mapping
    ) {
        for (key, schema) in ScenarioSchema.keys(of: mapping) {
            let words = (schema.object?["enum"]?.array ?? []).compactMap { $0.string ?? $0.integer.map(String.init) }
            let found = ScenarioSchema.mistakes(in: mapping.text(key, "zzzzzz"))
            let list = found.compactMap {
                $0.contains(" \(key) is ") ? $0.split(separator: "it must be one of: ") : nil
            }
            .first { $0.count == 2 }?[1]
            if let list { #expect(Set(list.components(separatedBy: ", ")) == Set(words), "\(key)") }
            for word in words {
                let found = ScenarioSchema.mistakes(in: mapping.text(key, word))
                #expect(!found.contains { $0.contains("\(key) is ") || $0.contains("\(key): ") }, "\(key): \(found)")
            }
        }
    }
}
