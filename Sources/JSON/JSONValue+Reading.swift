/// Reading without surprises: a value of another type than the one asked for is simply not there.
///
/// Providers write numbers as strings, dictionaries as strings and booleans as numbers; nothing malformed may crash a
/// dialect, so each accessor answers `nil` instead of throwing.
extension JSONValue {
    package subscript(key: String) -> JSONValue? { object?[key] }

    package var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }
    package var array: [JSONValue]? {
        if case .array(let array) = self { array } else { nil }
    }
    package var string: String? {
        if case .string(let string) = self { string } else { nil }
    }
    package var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }
    package var integer: Int? {
        if case .number(let number) = self { number.integer } else { nil }
    }
    package var double: Double? {
        if case .number(let number) = self { number.double } else { nil }
    }

    /// An identifier, which providers write as a string or as a number.
    package var identifier: String? {
        switch self {
        case .string(let string) where !string.isEmpty: string
        case .number(let number): number.literal
        default: nil
        }
    }

    /// Apple's flags: `1` and `true`, and nothing else, are on.
    package var isSet: Bool { integer == 1 || bool == true }

    /// The JSON type's name, for messages.
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
