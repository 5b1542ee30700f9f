import Base
import NotificationModel

/// The copies of a value in which one part is replaced by a value of each type, or is removed.
enum JSONMutations {
    private static let replacements: [JSONValue] = [
        nil, 7, -1, "x", "", [], ["x"], [7], [:], ["url": "x"], true, .number(JSONNumber(literal: "1e400")),
        .number(JSONNumber(literal: "123456789012345678901234567890")),
    ]

    static func all(of value: JSONValue) -> [JSONValue] {
        replacements + inside(value)
    }

    private static func inside(_ value: JSONValue) -> [JSONValue] {
        switch value {
        case .object(let object):
            object.members.indices.flatMap { index -> [JSONValue] in
                let changed = all(of: object.members[index].value).map { part in
                    var members = object.members
                    members[index].value = part
                    return members
                }
                var shorter = object.members
                shorter.remove(at: index)
                return (changed + [shorter]).map { .object(JSONObject(members: $0)) }
            }
        case .array(let elements):
            elements.indices.flatMap { index -> [JSONValue] in
                let changed = all(of: elements[index]).map { part in
                    var copy = elements
                    copy[index] = part
                    return copy
                }
                var shorter = elements
                shorter.remove(at: index)
                return (changed + [shorter]).map { .array($0) }
            }
        case .null, .bool, .number, .string: []
        }
    }
}
