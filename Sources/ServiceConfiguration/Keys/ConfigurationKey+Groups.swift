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
