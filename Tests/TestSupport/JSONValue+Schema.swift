import Base
import NotificationModel

/// The types and the equality of JSON Schema.
extension JSONValue {
    func hasType(_ type: JSONSubschema.TypeName) -> Bool {
        switch (type, self) {
        case (.null, .null), (.boolean, .bool), (.number, .number), (.string, .string), (.array, .array),
            (.object, .object):
            true
        case (.integer, .number(let number)): number.isWhole
        default: false
        }
    }

    /// Compares values. Numbers are compared by value, so `10` equals `1e1`. The order of an object's members does not
    /// matter.
    func equals(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.number(let number), .number(let other)):
            if let integer = number.integer, let other = other.integer { return integer == other }
            return Double(number.literal) == Double(other.literal)
        case (.array(let elements), .array(let others)):
            return elements.count == others.count && zip(elements, others).allSatisfy { $0.equals($1) }
        case (.object(let object), .object(let other)):
            let (keys, otherKeys) = (Set(object.keys), Set(other.keys))
            return keys == otherKeys && keys.allSatisfy { key in other[key].map { object[key]?.equals($0) } == true }
        default: return self == other
        }
    }
}

extension JSONNumber {
    /// Whether the number is whole, as `3`, `3.0` and `3e2` are. The number may have any size.
    fileprivate var isWhole: Bool {
        guard literal.utf8.contains(where: ".eE".utf8.contains), let value = Double(literal) else { return true }
        return value.isInfinite || value.rounded() == value
    }
}
