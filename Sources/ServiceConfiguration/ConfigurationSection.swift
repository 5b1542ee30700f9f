/// Keys that stand together in the file.
package struct ConfigurationSection: Sendable {
    /// The key of the mapping; empty at the top of the file.
    package let name: String
    package let meaning: String
    package let keys: [ConfigurationKey]

    /// The one table of all keys.
    package static let all = [
        top, log, fetch, media, requests, results, files, push, permissions, apns, twoMee, matrix, homeAssistant,
    ]
}
