import Base

extension ValueCodec where Value == AppGroups {
    /// The codec of the app groups: a list of names, or a mapping of names to the settings of groups.
    ///
    /// - Parameter base: The configuration with the values of all other keys.
    static func appGroups(over base: Configuration) -> ValueCodec {
        ValueCodec(
            expected: """
                a list of app groups, or a mapping of app groups to their settings; the name of a group is \
                \(ValueCodec<String>.appGroup.expected)
                """,
            shape: .listOrMapping,
            read: { value throws(ValueErrors) in
                let reader = GroupsReader(value, over: base)
                guard reader.allErrors.isEmpty else { throw ValueErrors(reader.allErrors) }
                return reader.groups
            },
            json: json(of:))
    }

    /// Returns the names of the groups, or a mapping if a group has its own settings.
    private static func json(of groups: AppGroups) -> JSONValue {
        let names = groups.names
        if groups.settings.allSatisfy(\.sources.isEmpty), groups.isOpen == names.isEmpty {
            return .array(names.map { .string($0) })
        }
        var shown = JSONObject()
        shown.append("open", .bool(groups.isOpen))
        for settings in groups.settings { shown.append(settings.name, .object(settings.json)) }
        return .object(shown)
    }
}

extension AppGroupSettings {
    /// The group's own values, by the paths of their keys.
    fileprivate var json: JSONObject {
        keys.reduce(into: JSONObject()) { shown, key in shown.append(key.path, value(of: key)) }
    }
}
