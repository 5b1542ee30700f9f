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
            changed.filter { $0.isReloadable == isReloadable }.map { key in
                ConfigurationDifference.Change(
                    key: key.path, before: ConfigurationEntry.text(of: key.json(self)),
                    after: ConfigurationEntry.text(of: key.json(other)))
            }
        }
        return ConfigurationDifference(applicable: changes(true), needingRestart: changes(false))
    }
}
