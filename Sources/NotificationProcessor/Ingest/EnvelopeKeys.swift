package import Base
package import NotificationModel

/// The keys of an envelope, and the check whether an object was meant as an envelope.
package enum EnvelopeKeys {
    package static let all = [
        "id", "appGroup", "profile", "budget", "deadline", "dialect", "onExpiry", "permissions", "network", "fallback",
        "receipts", "callback", "locale", "recipient", "labels", "priority", "headers", "keep", "critical",
        "traceparent", "payload",
    ]
    /// Keys that are read, but have no effect.
    package static let withoutEffect = ["keep"]

    /// The maximum number of keys of one object that are compared.
    private static let maxCompared = 64

    /// Returns whether an object is an envelope. It has an object `payload`, and only keys of envelopes.
    package static func isEnvelope(_ object: JSONObject) -> Bool {
        object["payload"]?.object != nil && object.keys.allSatisfy(all.contains)
    }

    /// Returns the keys of an object that no envelope has, without repetitions. Each has a guess of the envelope's key.
    package static func unknownKeys(in object: JSONObject) -> [(key: String, guess: String?)] {
        var seen = Set(all)
        return object.keys.prefix(maxCompared).filter { seen.insert($0).inserted }.map { ($0, guess(for: $0)) }
    }

    /// Returns whether an object that no dialect recognises was meant as an envelope. This is assumed if a dialect
    /// recognises its `payload`, or if another key is a key of an envelope or a misspelling.
    package static func isMeantAsEnvelope(_ object: JSONObject, by dialects: DialectTable) -> Bool {
        guard let payload = object["payload"]?.object else { return false }
        if dialects.recognises(payload) { return true }
        return object.keys.prefix(maxCompared).contains { key in
            key != "payload" && (all.contains(key) || guess(for: key) != nil)
        }
    }

    /// Other names for the keys, in lower case. Other programs use these names for the same values.
    private static let synonyms = [
        "group": "appGroup", "timeout": "budget", "platform": "profile", "language": "locale", "lang": "locale",
        "userid": "recipient", "user": "recipient", "receiver": "recipient", "tags": "labels", "requestid": "id",
        "request_id": "id", "format": "dialect", "vendor": "dialect", "expires": "deadline",
    ]

    /// Returns the key that was probably meant. It is the key of a synonym, or a key that differs by one letter, or by
    /// two if it has more than five. No key is a misspelt `id`.
    private static func guess(for key: String) -> String? {
        if key.utf8.count <= 10 {
            let key = key.lowercased()
            if let meant = synonyms[key] ?? all.first(where: { $0.lowercased() == key }) { return meant }
        }
        // The length alone excludes most keys.
        let length = key.utf8.count
        return all.first { known in
            known != "id" && abs(known.utf8.count - length) <= 2
                && NearestWord.distance(known, key) <= (known.utf8.count > 5 ? 2 : 1)
        }
    }
}

/// The reader of an envelope's keys. A value of a wrong type is an error that names the key.
struct EnvelopeFields {
    /// The maximum number of characters of a value that an error repeats.
    private static let maxShown = 64

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
                key: key, problem: "\(VisibleText.quoted(text, most: Self.maxShown)) is not \(expected())")
        }
        return parsed
    }

    func bool(_ key: String) throws(EnvelopeError) -> Bool? { try typed(key, "true or false", \.bool) }

    func integer(_ key: String) throws(EnvelopeError) -> Int? { try typed(key, "a whole number", \.integer) }

    func object(_ key: String) throws(EnvelopeError) -> JSONObject? { try typed(key, "an object", \.object) }

    func array(_ key: String) throws(EnvelopeError) -> [JSONValue]? { try typed(key, "a list", \.array) }

    private func typed<Value>(
        _ key: String, _ expected: String, _ read: (JSONValue) -> Value?
    ) throws(EnvelopeError) -> Value? {
        guard let value = value(key) else { return nil }
        guard let typed = read(value) else {
            throw EnvelopeError(key: key, problem: "is \(value.typeName), not \(expected)")
        }
        return typed
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String, _: Choice.Type
    ) throws(EnvelopeError) -> Choice? where Choice.RawValue == String {
        try string(key, "one of: \(Choice.allCases.map(\.rawValue).joined(separator: ", "))", Choice.init)
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

    /// Returns a value for an error. A number is repeated, because often only its quotes or its unit are missing.
    private static func shown(_ value: JSONValue) -> String {
        guard case .number(let number) = value else { return value.typeName }
        return "the number \(VisibleText.short(number.literal, most: maxShown))"
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
    package var maxReserve = TimeBudget.standardReserve
    package var dialect: DialectID?
    /// The permissions that neither the envelope, nor the recipient, nor the group states.
    package var permissions = Permissions()
    /// The settings of the app group.
    package var groupPermissions = PermissionSettings()
    package var network: NetworkKind?
    package var locale: String?
    package var unknownPayloads = UnknownPayloadPolicy.pass

    package init() {}
}

extension EnvelopeFields {
    /// The largest number of labels of a request, and the largest size of a label in bytes.
    private static let (maxLabels, maxLabel) = (32, 128)

    /// Returns the labels of a request: strings that only their caller understands. A request without labels has none.
    func labels(_ key: String) throws(EnvelopeError) -> [String] {
        guard let values = try array(key) else { return [] }
        guard values.count <= Self.maxLabels else {
            throw EnvelopeError(key: key, problem: "has \(values.count) labels: write at most \(Self.maxLabels)")
        }
        var labels: [String] = []
        for (index, value) in values.enumerated() {
            guard let label = value.string, (1...Self.maxLabel).contains(label.utf8.count) else {
                let found = value.string.map { "has \($0.utf8.count) bytes" } ?? "is \(value.typeName)"
                throw EnvelopeError(
                    key: key, problem: "label \(index + 1) \(found), not a string of 1 to \(Self.maxLabel) bytes")
            }
            labels.append(label)
        }
        return labels
    }
}
