/// The changes of a reload, and whether they apply without a restart.
package struct ConfigurationDifference: Sendable, Equatable {
    package struct Change: Sendable, Equatable {
        package let key: String
        /// The old value as the listing shows it. A secret is shown as `(secret)`.
        package let before: String
        package let after: String
    }

    package let applicable: [Change]
    package let needingRestart: [Change]

    package var isEmpty: Bool { applicable.isEmpty && needingRestart.isEmpty }

    /// The changes for the log, one line each.
    package var words: [String] {
        applicable.map { change in
            change.before == change.after
                ? "\(change.key) has changed" : "\(change.key) is now \(change.after), was \(change.before)"
        }
            + needingRestart.map {
                "\($0.key) stays \($0.before) until a restart; the new value is \($0.after)"
            }
    }
}

extension Configuration {
    /// Returns the difference between this configuration, which is in use, and the loaded configuration.
    package func difference(to other: Configuration) -> ConfigurationDifference {
        let changed = ConfigurationKey.all.filter { !$0.isSame(self, other) }
        func changes(_ isReloadable: Bool) -> [ConfigurationDifference.Change] {
            changed.filter { $0.isReloadable == isReloadable }.flatMap { key in
                if key.path == ConfigurationKey.groupsPath { return groups.changes(to: other.groups) }
                return [
                    ConfigurationDifference.Change(
                        key: key.path, before: ConfigurationEntry.text(of: key.json(self)),
                        after: ConfigurationEntry.text(of: key.json(other)))
                ]
            }
        }
        return ConfigurationDifference(applicable: changes(true), needingRestart: changes(false))
    }
}

extension AppGroups {
    /// Returns the changes of the settings of each group, one for each key.
    fileprivate func changes(to other: AppGroups) -> [ConfigurationDifference.Change] {
        var changes: [ConfigurationDifference.Change] = []
        func add(_ place: String, _ before: String, _ after: String) {
            changes.append(ConfigurationDifference.Change(key: "groups.\(place)", before: before, after: after))
        }
        if isOpen != other.isOpen { add("open", "\(isOpen)", "\(other.isOpen)") }
        let (old, new) = (byName, other.byName)
        for settings in settings where new[settings.name] == nil { add(settings.name, "named", "left out") }
        for after in other.settings {
            if old[after.name] == nil { add(after.name, "left out", "named") }
            let before = old[after.name] ?? AppGroupSettings(after.name, over: Configuration(workers: 1))
            for key in ConfigurationKey.forGroups where !before.isSame(key, as: after) {
                add("\(after.name).\(key.path)", before.shown(key), after.shown(key))
            }
        }
        return changes
    }

    private var byName: [String: AppGroupSettings] {
        Dictionary(settings.map { ($0.name, $0) }) { first, _ in first }
    }
}

extension AppGroupSettings {
    /// Returns the value of a key as the listing shows it, or words for the value of all groups.
    fileprivate func shown(_ key: ConfigurationKey) -> String {
        sources[key.path] == nil ? "the value of all groups" : ConfigurationEntry.text(of: value(of: key))
    }
}
