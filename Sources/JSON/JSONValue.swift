/// A JSON value (RFC 8259) that keeps the order of keys and the digits of each number.
///
/// This target reads and writes JSON. `JSONParser` reads a text of UTF-8 bytes, and `JSONStream` reads values that
/// arrive in pieces. `JSONNode` reads the parts of a value together with their paths. `JSONWriter` writes a text.
///
/// Payloads pass through this program and are written again as `userInfo` and `push.payload`, so no part of them may be
/// lost.
///
/// The parser refuses a text that is not JSON, with the line and the column of the error, and values that are nested
/// too deeply. The parser does not bound the size of a text. The caller bounds the size, and uses `JSONFootprint` for
/// the memory of the values. All types are values, apart from `JSONLookups`, which records lookups under a lock. All
/// functions run on the caller's thread and do not suspend, so no component cancels them.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// A number as it was written. `literal` follows the grammar of RFC 8259 §6, and may exceed the range of each machine
/// type.
package struct JSONNumber: Sendable, Equatable {
    package let literal: String

    package init(literal: String) { self.literal = literal }
    package init(_ value: Int) { literal = String(value) }
    /// Creates a number from a finite value. JSON has no infinity and no NaN, so these become 0.
    package init(_ value: Double) { literal = value.isFinite ? "\(value)" : "0" }

    /// The number as an integer, if it is whole and fits: `3`, `3.0` and `3e0` are all 3. `nil` if the number is not
    /// whole or does not fit.
    package var integer: Int? {
        if let exact = Int(literal) { return exact }
        // An integer literal that does not fit must not be rounded to a number that fits.
        guard literal.utf8.contains(where: ".eE".utf8.contains) else { return nil }
        return double.flatMap { Int(exactly: $0) }
    }

    /// The nearest finite value; `nil` if the number is too large.
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
