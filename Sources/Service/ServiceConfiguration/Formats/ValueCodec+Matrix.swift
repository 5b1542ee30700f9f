import Base
import NotificationModel

extension ValueCodec where Value == [String] {
    /// The codec of the further paths of the push gateway. Each request is compared with each of them.
    static var gatewayPaths: ValueCodec { paths(.urlPath) }

    /// The codec of the paths at which homeservers are asked for files.
    static var mediaPaths: ValueCodec {
        paths(
            .text(
                "a path without slashes at its ends", as: "client/v1/media",
                { text in
                    guard !text.hasPrefix("/"), let path = BaseURL.path("/" + text), path == "/" + text else {
                        return nil
                    }
                    return text
                }, shown: { .string($0) }), least: 1)
    }

    private static func paths(_ path: ValueCodec<String>, least: Int = 0) -> ValueCodec {
        let (most, list) = (8, ValueCodec<[String]>.list(of: "paths", path))
        return ValueCodec(
            expected: "\(list.expected); at most \(most)", shape: list.shape,
            read: { value throws(ValueErrors) in
                let paths = try list.read(value)
                guard paths.count <= most else { throw value.refusal("has more than \(most) paths: remove some") }
                guard paths.count >= least else { throw value.refusal("has no path: add one") }
                return paths
            }, json: list.json)
    }
}

extension ValueCodec where Value == MatrixApps {
    /// The codec of the rules for apps, by their IDs.
    ///
    /// - Parameter group: The group whose apps they are; `nil` if each rule may name its group.
    static func matrixApps(of group: String?) -> ValueCodec {
        let keys = (group == nil ? ["group"] : []) + ["profile", "environment"]
        let example = (group == nil ? "group: GROUP, " : "") + "profile: ios, environment: production"
        return ValueCodec(
            expected: "a mapping of at most \(most) app IDs, such as {com.example.ios*: {\(example)}}",
            shape: .mapping,
            read: { value throws(ValueErrors) in
                var rules: [MatrixApps.Rule] = []
                try value.forEachMember("app IDs with their \(keys.dropLast().joined(separator: ", ")) and environment")
                {
                    member throws(ValueErrors) in
                    guard isPattern(member.name) else {
                        throw ValueErrors(
                            member.source,
                            "\(QuotedText.quote(member.name)) is not an app ID of at most \(maxLength) printable letters, with or without a * at its end"
                        )
                    }
                    guard !rules.contains(where: { $0.pattern == member.name }) else {
                        throw ValueErrors(member.source, "\(member.name) occurs twice: put both into one")
                    }
                    do throws(ValueErrors) { rules.append(try rule(member.name, member.value, keys, of: group)) } catch
                    {
                        throw ValueErrors(error.below(".\(member.name)"))
                    }
                }
                guard rules.count <= most else { throw value.refusal("has more than \(most) app IDs: remove some") }
                return MatrixApps(rules)
            }, json: json(of:))
    }

    /// The maximum number of rules. The ID of each device is compared with each of them.
    private static let most = 100
    /// The longest ID, in bytes.
    private static let maxLength = 255

    private static func isPattern(_ text: String) -> Bool {
        let id = text.hasSuffix("*") ? text.dropLast() : text[...]
        return text.utf8.count <= maxLength && !text.isEmpty
            && id.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "*") }
    }

    private static func rule(
        _ pattern: String, _ value: ConfigNode, _ keys: [String], of group: String?
    ) throws(ValueErrors) -> MatrixApps.Rule {
        var rule = MatrixApps.Rule(pattern: pattern, group: group.flatMap { AppGroupName($0) })
        if case .nothing = value.content { return rule }
        var reader = try MappingReader(value, keys: keys)
        if group == nil {
            rule.group = reader.value("group", ValueCodec<String>.appGroup).flatMap { AppGroupName($0) }
        }
        rule.profile = reader.value("profile", ValueCodec<String>.choice(of: MediaProfile.all.map(\.name)))
        rule.environment = reader.value("environment", ValueCodec<MatrixApps.Environment>.choice)
        try reader.finish()
        return rule
    }

    private static func json(of apps: MatrixApps) -> JSONValue {
        .object(
            apps.all.reduce(into: JSONObject()) { shown, rule in
                var values = JSONObject()
                if let group = rule.group { values.append("group", .string(group.description)) }
                if let profile = rule.profile { values.append("profile", .string(profile)) }
                if let environment = rule.environment { values.append("environment", .string(environment.rawValue)) }
                shown.append(rule.pattern, .object(values))
            })
    }
}
