/// The accessors that read a value by its type. A value of another type than the requested one reads as `nil`.
///
/// Providers write numbers as strings, dictionaries as strings and booleans as numbers. A malformed payload must not
/// end a dialect, so each accessor returns `nil` instead of throwing.
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
