package import NotificationModel

/// One key with what it is set to, as the `config` command shows it.
package struct ConfigurationEntry: Sendable, Equatable {
    package let key: String
    /// Secrets are `(secret)`.
    package let value: JSONValue
    package let source: ValueSource
    /// Whether SIGHUP can change it.
    package let isReloadable: Bool

    /// The value in words: `none` for nothing, a list with commas, what has mappings as JSON.
    package var text: String { Self.text(of: value) }

    package var json: JSONValue {
        [
            "key": .string(key), "value": value, "source": .string(source.description),
            "reloadable": .bool(isReloadable),
        ]
    }

    static func text(of value: JSONValue) -> String {
        switch value {
        case .null: "none"
        case .string(let text): text
        case .array(let elements) where !elements.isEmpty && elements.allSatisfy { $0.object == nil }:
            elements.map(text(of:)).joined(separator: ", ")
        default: JSONWriter.text(of: value)
        }
    }
}
