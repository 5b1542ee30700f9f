/// A JSON value (RFC 8259) that keeps what a payload said: the order of keys, and each number's own digits.
///
/// Payloads pass through this program and come out again as `userInfo` and `push.payload`, so reading must lose nothing.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// A number as it was written. `literal` follows the grammar of RFC 8259 §6 and may exceed every machine type.
package struct JSONNumber: Sendable, Equatable {
    package let literal: String

    package init(literal: String) { self.literal = literal }
    package init(_ value: Int) { literal = String(value) }
    /// Finite values only: JSON has no infinity. Any other becomes 0.
    package init(_ value: Double) { literal = value.isFinite ? "\(value)" : "0" }

    /// The value if it is whole and fits: `3`, `3.0` and `3e0` are all 3.
    package var integer: Int? {
        if let exact = Int(literal) { return exact }
        // Whole digits that do not fit must not be rounded into fitting.
        guard literal.utf8.contains(where: ".eE".utf8.contains) else { return nil }
        return double.flatMap { Int(exactly: $0) }
    }

    /// The nearest finite value.
    package var double: Double? {
        guard let value = Double(literal), value.isFinite else { return nil }
        return value
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(members: elements.map { .init(key: $0.0, value: $0.1) }))
    }
    package init(nilLiteral: ()) { self = .null }
}
