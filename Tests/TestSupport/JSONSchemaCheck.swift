import Base
import NotificationModel

/// The check of one value against one schema, which collects all violations.
struct JSONSchemaCheck {
    let definitions: [String: JSONSubschema]
    private(set) var violations: [JSONSchemaViolation] = []

    init(definitions: [String: JSONSubschema]) { self.definitions = definitions }

    mutating func check(_ value: JSONValue, at place: JSONPath, against schema: JSONSubschema) {
        for (keyword, assertion) in schema.assertions {
            for problem in problems(of: value, at: place, with: assertion) {
                violations.append(JSONSchemaViolation(place: place, keyword: keyword, problem: problem))
            }
        }
    }

    /// Returns the problems of the value itself. Violations inside the value are appended to `violations`.
    private mutating func problems(
        of value: JSONValue, at place: JSONPath, with assertion: JSONSubschema.Assertion
    ) -> [String] {
        switch assertion {
        case .members(let properties, let others): checkMembers(of: value, at: place, properties, others)
        case .items(let schema):
            for (index, element) in (value.array ?? []).enumerated() {
                check(element, at: place.appending(.index(index)), against: schema)
            }
        case .reference(let name):
            if let schema = definitions[name] { check(value, at: place, against: schema) }
        case .all(let schemas): for schema in schemas { check(value, at: place, against: schema) }
        case .any(let schemas):
            let found = schemas.map { self.found(in: value, at: place, against: $0) }
            guard !found.contains(where: \.isEmpty) else { return [] }
            violations += found.flatMap(\.self)
            return ["fits none of \(schemas.count)"]
        case .one(let schemas):
            let found = schemas.map { self.found(in: value, at: place, against: $0) }
            let fitting = found.count { $0.isEmpty }
            if fitting == 0 { violations += found.flatMap(\.self) }
            return fitting == 1 ? [] : ["fits \(fitting) of \(schemas.count), and must fit one"]
        case .not(let schema):
            return found(in: value, at: place, against: schema).isEmpty ? ["fits what it must not"] : []
        case .condition(let condition, let then, let otherwise):
            let branch = found(in: value, at: place, against: condition).isEmpty ? then : otherwise
            if let branch { check(value, at: place, against: branch) }
        default: return Self.ownProblems(of: value, with: assertion)
        }
        return []
    }

    private mutating func checkMembers(
        of value: JSONValue, at place: JSONPath, _ properties: [String: JSONSubschema], _ others: JSONSubschema?
    ) {
        for member in JSONNode(value, path: place).members {
            guard let schema = properties[member.key] ?? others else { continue }
            check(member.node.value ?? .null, at: member.node.path, against: schema)
        }
    }

    private func found(
        in value: JSONValue, at place: JSONPath, against schema: JSONSubschema
    ) -> [JSONSchemaViolation] {
        var check = JSONSchemaCheck(definitions: definitions)
        check.check(value, at: place, against: schema)
        return check.violations
    }

    /// Returns the problems for assertions that concern only the value itself. A value of another type passes.
    private static func ownProblems(of value: JSONValue, with assertion: JSONSubschema.Assertion) -> [String] {
        switch assertion {
        case .nothing: return ["must not be there"]
        case .types(let types):
            let names = types.map(\.rawValue).joined(separator: " or ")
            return types.contains(where: value.hasType) ? [] : ["is \(value.typeName), and must be \(names)"]
        case .values(let values):
            return values.contains(where: value.equals)
                ? [] : ["is \(JSONWriter.text(of: value)), which is not a permitted value"]
        case .required(let keys):
            return value.object.map { object in
                keys.filter { object[$0] == nil }.map { "has no \"\($0)\"" }
            } ?? []
        case .count(let range):
            guard let count = value.array?.count, !range.contains(count) else { return [] }
            return ["has \(count) elements"]
        case .length(let range):
            guard let length = value.string?.unicodeScalars.count, !range.contains(length) else { return [] }
            return ["has \(length) characters"]
        case .range(let range):
            guard case .number(let number) = value, !range.contains(Double(number.literal) ?? .nan) else { return [] }
            return ["is \(number.literal), which is out of range"]
        case .pattern(let pattern, let text):
            guard let string = value.string, string.firstMatch(of: pattern) == nil else { return [] }
            return ["is \"\(string)\", which does not match \(text)"]
        case .dateTime(let format):
            guard let string = value.string, !format.matches(string) else { return [] }
            return ["is \"\(string)\", which is no date-time"]
        default: return []
        }
    }
}
