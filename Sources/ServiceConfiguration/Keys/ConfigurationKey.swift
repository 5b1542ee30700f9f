package import JSON
import NotificationModel

/// One thing that an operator can decide: how it is called, read, shown and explained.
package struct ConfigurationKey: Sendable {
    /// With the section: `fetch.redirects`.
    package let path: String
    /// With its dashes, where there is one.
    package let flag: String?
    /// Whether SIGHUP can change it.
    package let isReloadable: Bool
    /// What a value must be, with its range.
    package let expected: String
    /// One sentence.
    package let meaning: String

    /// Where the default is no fixed value: what it is, in words.
    let defaultWords: String?
    let shape: ValueShape
    let read: @Sendable (ConfigNode, inout Configuration) throws(ValueErrors) -> Void
    let json: @Sendable (Configuration) -> JSONValue
    let isSame: @Sendable (Configuration, Configuration) -> Bool
    /// From the first to the second.
    let copy: @Sendable (Configuration, inout Configuration) -> Void

    /// - Parameter property: is named with its section too, as the path is.
    init<Value: Equatable & Sendable>(
        _ path: String, _ property: any WritableKeyPath<Configuration, Value> & Sendable, _ format: ValueCodec<Value>,
        flag: String? = nil, default words: String? = nil, reloadable: Bool, _ meaning: String
    ) {
        self.init(
            path, property, formatIn: { _ in format }, flag: flag, default: words, reloadable: reloadable, meaning)
    }

    /// - Parameter formatIn: where what can be written depends on what else is in the configuration.
    init<Value: Equatable & Sendable>(
        _ path: String, _ property: any WritableKeyPath<Configuration, Value> & Sendable,
        formatIn: @escaping @Sendable (Configuration) -> ValueCodec<Value>,
        flag: String? = nil, default words: String? = nil, reloadable: Bool, _ meaning: String
    ) {
        let format = formatIn(Configuration(workers: 1))
        self.path = path
        self.flag = flag
        isReloadable = reloadable
        expected = format.expected
        self.meaning = meaning
        defaultWords = words
        shape = format.shape
        read = { value, configuration throws(ValueErrors) in
            configuration[keyPath: property] = try formatIn(configuration).read(value)
        }
        json = { format.json($0[keyPath: property]) }
        isSame = { $0[keyPath: property] == $1[keyPath: property] }
        copy = { $1[keyPath: property] = $0[keyPath: property] }
    }

    /// `fetch.allowAddresses` is `APPGROUPD_FETCH_ALLOW_ADDRESSES`, and `publicURL` is `APPGROUPD_PUBLIC_URL`.
    package var environmentName: String {
        var name = EnvironmentLayer.prefix
        var isInWord = false
        for character in path {
            if character.isUppercase, isInWord { name += "_" }
            isInWord = character.isLowercase
            name += character == "." ? "_" : character.uppercased()
        }
        return name
    }

    package var name: String { path.split(separator: ".").last.map(String.init) ?? path }

    package static let all = ConfigurationSection.all.flatMap(\.keys)

    package static func named(_ path: String) -> ConfigurationKey? { byPath[path] }

    private static let byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })
}

/// Keys that stand together in the file.
package struct ConfigurationSection: Sendable {
    /// The key of the mapping; empty at the top of the file.
    package let name: String
    package let meaning: String
    package let keys: [ConfigurationKey]

    /// The one table of all keys.
    package static let all = [
        top, log, fetch, media, requests, results, files, sandbox, payloads, push, permissions, apns, twoMee, matrix,
        homeAssistant, lint,
    ]
}

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
