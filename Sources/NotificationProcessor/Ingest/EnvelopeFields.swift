import JSON
package import NotificationModel

/// The reader of an envelope's keys. A value of a wrong type is an error that names the key.
struct EnvelopeFields {
    /// The maximum number of characters of a value that an error repeats.
    private static let mostShown = 64

    private let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    /// Returns whether a key has a value. `null` is treated as missing.
    func has(_ key: String) -> Bool { value(key) != nil }

    /// Returns the parsed string of a key; `nil` if the key is missing.
    ///
    /// - Parameter expected: The allowed values, for the error.
    func string<Value>(
        _ key: String, _ expected: @autoclosure () -> String, _ parse: (String) -> Value?
    ) throws(EnvelopeError) -> Value? {
        guard let value = value(key) else { return nil }
        guard let text = value.string else {
            throw EnvelopeError(key: key, problem: "is \(Self.shown(value)), not a string: write \(expected())")
        }
        guard let parsed = parse(text) else {
            throw EnvelopeError(
                key: key, problem: "\(VisibleText.quoted(text, most: Self.mostShown)) is not \(expected())")
        }
        return parsed
    }

    func bool(_ key: String) throws(EnvelopeError) -> Bool? {
        guard let value = value(key) else { return nil }
        guard let bool = value.bool else {
            throw EnvelopeError(key: key, problem: "is \(value.typeName), not true or false")
        }
        return bool
    }

    func integer(_ key: String) throws(EnvelopeError) -> Int? {
        guard let value = value(key) else { return nil }
        guard let integer = value.integer else {
            throw EnvelopeError(key: key, problem: "is \(value.typeName), not a whole number")
        }
        return integer
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String, _: Choice.Type
    ) throws(EnvelopeError) -> Choice? where Choice.RawValue == String {
        try string(key, "one of: \(Choice.allCases.map(\.rawValue).joined(separator: ", "))", Choice.init)
    }

    func object(_ key: String) throws(EnvelopeError) -> JSONObject? {
        guard let value = value(key) else { return nil }
        guard let object = value.object else {
            throw EnvelopeError(key: key, problem: "is \(value.typeName), not an object")
        }
        return object
    }

    /// Returns the title, the subtitle and the body; `nil` if the key is missing.
    func texts(_ key: String) throws(EnvelopeError) -> NotificationText? {
        guard let object = try object(key) else { return nil }
        for line in ["title", "subtitle", "body"] {
            guard let value = object[line], value != .null, value.string == nil else { continue }
            throw EnvelopeError(key: "\(key).\(line)", problem: "is \(value.typeName), not a string")
        }
        return NotificationText(JSONNode(object))
    }

    /// Returns a value for an error. A number is repeated, because it is often the right value, with only its quotes or
    /// its unit missing.
    private static func shown(_ value: JSONValue) -> String {
        guard case .number(let number) = value else { return value.typeName }
        return "the number \(VisibleText.short(number.literal, most: mostShown))"
    }

    private func value(_ key: String) -> JSONValue? {
        guard let value = object[key], value != .null else { return nil }
        return value
    }
}

/// The values of a request for keys that its envelope does not have. These values come from the command line's flags or
/// from the configuration.
package struct RequestDefaults: Sendable {
    package var appGroup = AppGroupName.default
    package var profile = MediaProfile.ios
    package var budget = TimeBudget.standard
    /// The longest reserve that the stages leave at the end of a budget.
    package var longestReserve = TimeBudget.standardReserve
    package var dialect: DialectID?
    package var permissions = Permissions()
    package var network: NetworkKind?
    package var locale: String?
    package var unknownPayloads = UnknownPayloadPolicy.pass

    package init() {}
}
