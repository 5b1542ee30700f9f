package import Authentication
import Base
package import NotificationModel

/// The app groups that a configuration names, with the settings of each.
package struct AppGroups: Sendable, Equatable {
    /// Whether requests of groups that are not named here are accepted too.
    package var isOpen = true
    /// The settings of the named groups, in the order of the configuration.
    package var settings: [AppGroupSettings] = []
    /// The errors of the groups whose new settings could not be used, one line each. Their earlier settings are in
    /// force. A group without earlier settings is not served.
    package var invalid: [String: [String]] = [:]

    package init() {}

    package var names: [String] { settings.map(\.name) }

    package subscript(name: String) -> AppGroupSettings? { settings.first { $0.name == name } }

    package var served: ServedGroups {
        // A group without usable settings must not run with the permissions and credentials of all groups.
        ServedGroups(
            named: names.compactMap { AppGroupName($0) }, isOpen: isOpen,
            without: invalid.keys.compactMap { AppGroupName($0) })
    }

    /// The settings of several groups that contradict each other, as sentences.
    package var warnings: [String] {
        ["sendios.clientId", "comapi.apiSpace"].flatMap { path -> [String] in
            guard let key = ConfigurationKey.named(path) else { return [] }
            let owners = Dictionary(grouping: settings.filter { $0.sets(path) }) {
                ConfigurationEntry.text(of: $0.value(of: key))
            }
            return owners.values.filter { $0.count > 1 }.map { same in
                let names = same.map(\.name)
                return
                    "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "") have the same \(path), so the "
                    + "provider cannot tell their receipts apart: give each app its own"
            }.sorted()
        }
    }

    /// Compares the settings in force, and not the errors of other settings.
    package static func == (one: AppGroups, other: AppGroups) -> Bool {
        one.isOpen == other.isOpen && one.settings == other.settings
    }
}

/// The settings of one app group. The group has the values of the whole configuration for all other keys.
package struct AppGroupSettings: Sendable, Equatable {
    package let name: String
    /// The sources of the group's own values, by the path of the key.
    package private(set) var sources: [String: ValueSource] = [:]
    private var values: Configuration

    init(_ name: String, over base: Configuration) {
        self.name = name
        values = base
        values.appGroup = name
    }

    /// The keys for which the group has its own values, in the order of the reference.
    package var keys: [ConfigurationKey] { ConfigurationKey.forGroups.filter { sources[$0.path] != nil } }

    /// Returns whether the group has its own value for one of the keys.
    package func sets(_ paths: String...) -> Bool { paths.contains { sources[$0] != nil } }

    /// Reads a value of the group. A flag or an environment variable takes precedence over each value of the file, so
    /// the value is then only checked.
    mutating func read(_ value: ConfigNode, as key: ConfigurationKey, over base: Configuration) throws(ValueErrors) {
        var own = values
        // The daemon's token belongs to the daemon's homeserver.
        if key.path == Self.homeserver, sources[Self.homeserverToken] == nil { own.matrix.tokenFile = nil }
        try key.read(value, &own)
        switch (base.source(of: key), value.source) {
        case (.flag, _), (.environment, .file): return
        default: break
        }
        values = own
        sources[key.path] = value.source
    }

    private static let homeserver = "matrix.homeserver"
    private static let homeserverToken = "matrix.tokenFile"

    /// Copies the group's own values to a configuration. A group with its own homeserver does not use the daemon's token,
    /// which another homeserver must not receive.
    func apply(to configuration: inout Configuration) {
        for key in keys {
            key.copy(values, &configuration)
            configuration.note(sources[key.path] ?? .default, for: key)
        }
        configuration.appGroup = name
        if sets(Self.homeserver), !sets(Self.homeserverToken) { configuration.matrix.tokenFile = nil }
    }

    /// Returns whether both settings have an equal value of their own for a key, or none.
    func isSame(_ key: ConfigurationKey, as other: AppGroupSettings) -> Bool {
        switch (sources[key.path] != nil, other.sources[key.path] != nil) {
        case (false, false): true
        case (true, true): key.isSame(values, other.values)
        default: false
        }
    }

    /// Returns the value of a key as the listing shows it.
    func value(of key: ConfigurationKey) -> JSONValue { key.json(values) }

    /// The group's own bearer tokens. Their names are different from those of other groups, because the limits of callers
    /// and the log go by name.
    fileprivate var tokens: [StaticToken] {
        guard sets("auth.tokens") else { return [] }
        return values.auth.tokens.map { token in
            var token = token
            token.caller.name = "\(name)/\(token.caller.name)"
            return token
        }
    }

    package static func == (one: AppGroupSettings, other: AppGroupSettings) -> Bool {
        one.name == other.name && ConfigurationKey.forGroups.allSatisfy { one.isSame($0, as: other) }
    }
}

extension Configuration {
    /// All bearer tokens: those of the daemon, and those of single groups, which permit only their group.
    package var tokens: [StaticToken] { auth.tokens + groups.settings.flatMap(\.tokens) }

    /// The rules for all apps of Matrix: those of the daemon, and those of single groups. A rule of a group takes
    /// precedence over the rule of the daemon for the same IDs.
    package var matrixApps: MatrixApps {
        let ofGroups = groups.settings.flatMap { $0.sets("matrix.apps") ? of(group: $0.name).matrix.apps.all : [] }
        return MatrixApps(ofGroups + matrix.apps.all)
    }

    /// Whether any credential is accepted.
    package var acceptsCredentials: Bool { !tokens.isEmpty || !auth.issuers.isEmpty }

    /// Returns the configuration of one group: its own values, and the values of all groups for the other keys.
    package func of(group name: String) -> Configuration {
        var configuration = self
        groups[name]?.apply(to: &configuration)
        return configuration
    }

    /// The configurations of the groups that have settings of their own, by group.
    package var byGroup: [AppGroupName: Configuration] {
        groups.settings.reduce(into: [:]) { configurations, settings in
            guard !settings.sources.isEmpty, let name = AppGroupName(settings.name) else { return }
            var configuration = self
            settings.apply(to: &configuration)
            configurations[name] = configuration
        }
    }
}
