package import Base

/// One configuration key: its name, and how its value is read, shown and documented.
///
/// To add a new key, do this: write its line in a list of `ConfigurationSection+….swift`, and its property with the
/// default in `Values/`. Tests fail until `KeySamples` has three values for the key, and
/// `docs/operate/configuration.md` follows with `REWRITE_GOLDENS=1`. Then use the property in `Composition` or in a
/// feature, also after a reload if the key is reloadable.
package struct ConfigurationKey: Sendable {
    /// The path with the section, such as `fetch.redirects`.
    package let path: String
    /// The flag with its dashes; `nil` if the key has no flag.
    package let flag: String?
    /// Whether SIGHUP can change the value.
    package let isReloadable: Bool
    /// The description of a valid value, with its range.
    package let expected: String
    /// The meaning of the key in one sentence.
    package let meaning: String

    /// The default in words, if it is not a fixed value; otherwise `nil`.
    let defaultWords: String?
    let shape: ValueShape
    let read: @Sendable (ConfigNode, inout Configuration) throws(ValueErrors) -> Void
    let json: @Sendable (Configuration) -> JSONValue
    let isSame: @Sendable (Configuration, Configuration) -> Bool
    /// Copies the value from the first configuration to the second.
    let copy: @Sendable (Configuration, inout Configuration) -> Void

    /// Creates a key with one codec.
    ///
    /// The initializers are not inlined: the optimizer would compile a copy for each key of the table, which takes 40 % of
    /// the time of this target.
    ///
    /// - Parameter property: The property, which is named with its section, like the path.
    @inline(never)
    init<Value: Equatable & Sendable>(
        _ path: String, _ property: any WritableKeyPath<Configuration, Value> & Sendable, _ format: ValueCodec<Value>,
        flag: String? = nil, default words: String? = nil, reloadable: Bool, _ meaning: String
    ) {
        self.init(
            path, property, formatIn: { _ in format }, flag: flag, default: words, reloadable: reloadable, meaning)
    }

    /// Creates a key whose valid values depend on other values of the configuration.
    ///
    /// - Parameter formatIn: A function that returns the codec for a configuration.
    @inline(never)
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

    /// The name of the variable. For example, `fetch.allowAddresses` has `APPGROUPD_FETCH_ALLOW_ADDRESSES`, and
    /// `publicURL` has `APPGROUPD_PUBLIC_URL`.
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

    /// All keys, with `groups` at the end, because the settings of a group depend on the values of the other keys.
    static let inReadingOrder =
        all.filter { $0.path != groupsPath } + all.filter { $0.path == groupsPath }

    package static func named(_ path: String) -> ConfigurationKey? { byPath[path] }

    private static let byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })
}

/// The keys that are together in one mapping of the file.
package struct ConfigurationSection: Sendable {
    /// The key of the mapping; empty at the top of the file.
    package let name: String
    package let meaning: String
    package let keys: [ConfigurationKey]
}

/// One key with its current value, as the `config` command shows it.
package struct ConfigurationEntry: Sendable, Equatable {
    package let key: String
    /// The value. Secrets are `(secret)`.
    package let value: JSONValue
    package let source: ValueSource
    /// Whether SIGHUP can change the value.
    package let isReloadable: Bool

    /// The value in words: `none` for `nil`, a list with commas, and other values as JSON.
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

extension ConfigurationKey {
    static let groupsPath = "groups"

    /// The sections whose keys an app group can set for itself.
    private static let sectionsForGroups: Set<String> = [
        "twomee", "sendios", "comapi", "matrix", "homeassistant", "apns", "payloads", "push", "permissions", "texts",
    ]
    /// The other keys that an app group can set for itself.
    private static let otherPathsForGroups: Set<String> = [
        "budget", "reserve", "profile", "publicURL", "locale", "dialects", "auth.tokens", "fetch.headers",
        "media.quota", "media.retention", "requests.perGroup",
    ]

    /// The keys of these sections that concern the listeners of the daemon.
    private static let pathsForAll: Set<String> = ["matrix.gateway", "matrix.paths"]

    /// The keys that an app group can set for itself, in the order of the reference.
    package static let forGroups = all.filter { key in
        guard !pathsForAll.contains(key.path) else { return false }
        return otherPathsForGroups.contains(key.path)
            || sectionsForGroups.contains(String(key.path.prefix { $0 != "." }))
    }

    /// The paths of `forGroups`.
    static let pathsForGroups = Set(forGroups.map(\.path))

    /// The sections that contain keys of `forGroups`.
    static let groupSections = Set(forGroups.map(\.section)).subtracting([""])

    /// The key of the mapping that contains this key; empty at the top of the file.
    var section: String { String(path.dropLast(name.count).dropLast()) }
}
