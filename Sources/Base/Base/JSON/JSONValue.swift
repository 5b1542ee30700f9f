/// A JSON value (RFC 8259) that keeps the order of keys and the digits of each number.
///
/// This target reads and writes JSON. `JSONParser` reads a text of UTF-8 bytes, and `JSONStream` reads values that
/// arrive in pieces. `JSONNode` reads the parts of a value together with their paths. `JSONWriter` writes a text.
///
/// Payloads are written again as `userInfo` and `push.payload`, so no part of them may be lost.
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

/// A number as it was written. `literal` follows the grammar of RFC 8259 §6, and may exceed each machine type.
package struct JSONNumber: Sendable, Equatable {
    package let literal: String

    package init(literal: String) { self.literal = literal }
    package init(_ value: Int) { literal = String(value) }
    /// Creates a number from a finite value. JSON has no infinity and no NaN, so these become 0.
    package init(_ value: Double) { literal = value.isFinite ? "\(value)" : "0" }

    /// The number as an integer, if it is whole and fits: `3`, `3.0` and `3e0` are all 3. Otherwise `nil`.
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

extension JSONValue {
    package static func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
    package static func number(_ value: Double) -> JSONValue { .number(JSONNumber(value)) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
    package init(nilLiteral: ()) { self = .null }
}

/// The accessors that read a value by its type. A value of another type than the requested one reads as `nil`.
///
/// Providers write numbers as strings, dictionaries as strings and booleans as numbers. A malformed payload must not
/// end a dialect, so each accessor returns `nil` instead of throwing.
extension JSONValue {
    package subscript(key: String) -> JSONValue? { object?[key] }

    package var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
    package var array: [JSONValue]? { if case .array(let array) = self { array } else { nil } }
    package var string: String? { if case .string(let string) = self { string } else { nil } }
    package var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    package var integer: Int? { if case .number(let number) = self { number.integer } else { nil } }
    package var double: Double? { if case .number(let number) = self { number.double } else { nil } }

    /// An identifier, which some providers write as a string and others as a number; `nil` if the value is neither.
    package var identifier: String? {
        switch self {
        case .string(let string) where !string.isEmpty: string
        case .number(let number): number.literal
        default: nil
        }
    }

    /// Whether one of Apple's flags is set. Only `1` and `true` set it.
    package var isSet: Bool { integer == 1 || bool == true }

    /// The name of the JSON type, with its article, for messages.
    package var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension Optional where Wrapped == JSONValue {
    package subscript(key: String) -> JSONValue? { self?.object?[key] }
}

/// An estimate of the memory that the values of a text take, made before the text is parsed.
package enum JSONFootprint {
    /// The bytes that are counted for each comma, colon and opening bracket, and for each pair of quotation marks.
    ///
    /// `{"ab":1,"ac":2,…}` takes up to 176 bytes a member. The member is stored twice while its array grows, and its
    /// key is stored once more in the table of keys.
    private static let bytesEach = 64

    /// Returns an upper estimate of the bytes that a text, which need not be JSON, and its values take. Strings may
    /// contain JSON that is parsed too, so their contents are counted as well.
    package static func estimate(of text: ArraySlice<UInt8>) -> Int {
        var (marks, quotes) = (0, 0)
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""): quotes += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"): marks += 1
            default: break
            }
        }
        return text.count + (marks + quotes / 2) * bytesEach
    }
}

extension JSONValue {
    /// A key that an object of the value has twice; `nil` if each object has each key once.
    package var repeatedKey: String? {
        switch self {
        case .object(let object):
            var keys: Set<String> = []
            for member in object.members where !keys.insert(member.key).inserted { return member.key }
            return object.members.lazy.compactMap(\.value.repeatedKey).first
        case .array(let elements): return elements.lazy.compactMap(\.repeatedKey).first
        default: return nil
        }
    }
}
