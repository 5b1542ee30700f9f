import Base
import NotificationModel
import TestSupport

/// A correct payload into which one mistake was put.
struct Mutation: Sendable, CustomStringConvertible {
    enum Kind: String, Sendable, CaseIterable {
        case misspelt
        case movedUp = "moved up"
        case movedDown = "moved down"
        case retyped = "retyped"
    }

    let kind: Kind
    /// The path of the changed key in the correct payload.
    let place: JSONPath
    /// The new name, the new parent or the new type of the value.
    let detail: String
    let value: JSONValue

    var description: String { "\(kind.rawValue) \(place) (\(detail))" }

    /// Returns a mutation of each kind that is possible at a member of an object.
    static func all(of value: JSONValue, at place: JSONPath, _ random: inout SeededGenerator) -> [Mutation] {
        guard case .key(let key)? = place.steps.last else { return [] }
        let parent = JSONPath(place.steps.dropLast())
        guard let object = JSONNode(value).node(at: parent).object, let member = object[key] else { return [] }
        return [
            misspelt(value, place, key, object, &random), movedUp(value, place, key, member),
            movedDown(value, place, key, object, &random), retyped(value, place, member, &random),
        ].compactMap(\.self)
    }

    /// Returns a mutation with one letter removed, added or replaced. Returns `nil` if ten attempts fail.
    private static func misspelt(
        _ value: JSONValue, _ place: JSONPath, _ key: String, _ object: JSONObject, _ random: inout SeededGenerator
    ) -> Mutation? {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        for _ in 0..<10 {
            var name = Array(key)
            let index = Int.random(in: 0..<name.count, using: &random)
            let letter = letters.randomElement(using: &random) ?? "x"
            switch Int.random(in: 0..<3, using: &random) {
            case 0: name.remove(at: index)
            case 1: name.insert(letter, at: index)
            default: name[index] = letter
            }
            let new = String(name)
            guard !new.isEmpty, object[new] == nil, let member = object[key] else { continue }
            return Mutation(
                kind: .misspelt, place: place, detail: new, value: value.replacing(place, with: member, as: new))
        }
        return nil
    }

    /// Moves a member one level up. Returns `nil` at the top level, or if the outer object has the key already.
    private static func movedUp(
        _ value: JSONValue, _ place: JSONPath, _ key: String, _ member: JSONValue
    ) -> Mutation? {
        var parent = JSONPath(place.steps.dropLast())
        let old = parent
        repeat {
            guard !parent.steps.isEmpty else { return nil }
            parent.steps.removeLast()
        } while JSONNode(value).node(at: parent).object == nil
        guard let object = JSONNode(value).node(at: parent).object, object[key] == nil else { return nil }
        let without = removing(key, at: old, of: value)
        return Mutation(
            kind: .movedUp, place: place, detail: "to \(parent)", value: without.setting(key, to: member, at: parent))
    }

    /// Moves a member one level down, into an object beside the member or into a new object.
    private static func movedDown(
        _ value: JSONValue, _ place: JSONPath, _ key: String, _ object: JSONObject, _ random: inout SeededGenerator
    ) -> Mutation? {
        let parent = JSONPath(place.steps.dropLast())
        guard let member = object[key] else { return nil }
        let others = object.members.filter { $0.key != key && $0.value.object?[key] == nil && $0.value.object != nil }
        let without = removing(key, at: parent, of: value)
        if let other = others.randomElement(using: &random) {
            return Mutation(
                kind: .movedDown, place: place, detail: "into \(other.key)",
                value: without.setting(key, to: member, at: parent.appending(.key(other.key))))
        }
        let name = ["data", "content", "custom", "extra"].first { object[$0] == nil } ?? "more"
        return Mutation(
            kind: .movedDown, place: place, detail: "into a new \(name)",
            value: without.setting(name, to: .object([key: member]), at: parent))
    }

    /// Replaces a value by a value of another type, as programs do by mistake.
    private static func retyped(
        _ value: JSONValue, _ place: JSONPath, _ member: JSONValue, _ random: inout SeededGenerator
    ) -> Mutation? {
        // A text in place of an object may be correct, because Apple's `alert` can be both. So only the object's own
        // JSON is used as a text.
        let encoded = JSONValue.string(JSONWriter.text(of: member))
        let others: [JSONValue] =
            switch member {
            case .string: [7, true, .array([member]), .object(["value": member])]
            case .object: [encoded, 7, .array([member])]
            case .array(let elements): [encoded, elements.first ?? 7, .object(["0": elements.first ?? .null]), 7]
            default: ["text", .array([member]), .object(["value": member])]
            }
        guard let other = others.filter({ $0 != member }).randomElement(using: &random) else { return nil }
        return Mutation(
            kind: .retyped, place: place, detail: other.typeName, value: value.replacing(place, with: other))
    }

    private static func removing(_ key: String, at place: JSONPath, of value: JSONValue) -> JSONValue {
        let members = JSONNode(value).node(at: place).object?.members.filter { $0.key != key } ?? []
        return value.replacing(place, with: .object(JSONObject(members: members)))
    }
}
