import Authentication
import Base
import NotificationModel

extension ValueCodec where Value == [StaticToken] {
    /// The codec of bearer tokens. A digest is shown, because no token follows from it.
    ///
    /// - Parameter group: The group whose tokens they are, which permit only this group; `nil` if each token names its
    ///   groups.
    static func staticTokens(of group: String?) -> ValueCodec {
        let groups = group == nil ? ["groups"] : []
        let example = group == nil ? "groups: [group.com.example.app], " : ""
        return mappings(
            of: "tokens", most: 256, keys: ["name", "hash", "file"] + groups + ["scopes", "rate", "concurrent"],
            example: "{name: gateway, hash: \"sha256:…\", \(example)scopes: [submit, read]}",
            names: { [$0.caller.name, $0.digest.description] }, read: { token(&$0, of: group) }, json: json(of:))
    }

    private static func token(_ reader: inout MappingReader, of group: String?) -> StaticToken? {
        let name = reader.required("name", .callerName)
        let groups =
            group.map { [$0] } ?? reader.required("groups", .list(of: "app groups", .permittedGroup, atLeast: 1))
        let scopes = reader.required(
            "scopes", ValueCodec<[Scope]>.list(of: "scopes", ValueCodec<Scope>.choice, atLeast: 1))
        let limits = CallLimits(reading: &reader)
        let digest = reader.value("hash", .tokenDigest)
        let file = reader.value("file", .bearerTokenFile)
        if reader.has("hash") == reader.has("file") {
            reader.refuse("hash", "needs either hash or file: appgroupd token new makes a token and its hash")
        }
        guard let name, let groups, let scopes, let digest = digest ?? file?.digest else { return nil }
        return StaticToken(
            digest: digest, file: file?.path,
            caller: Caller(
                name: name, groups: GroupPermission(names: groups), scopes: Set(scopes), limits: limits))
    }

    private static func json(of token: StaticToken) -> JSONObject {
        var shown: JSONObject = ["name": .string(token.caller.name)]
        if let file = token.file {
            shown.append("file", .string(file))
        } else {
            shown.append("hash", .string(token.digest.description))
        }
        shown.append("groups", .array(token.caller.groups.names.map { .string($0) }))
        shown.append("scopes", .array(Scope.allCases.filter(token.caller.scopes.contains).map { .string($0.rawValue) }))
        token.caller.limits.append(to: &shown)
        return shown
    }
}

extension ValueCodec where Value == [TokenIssuer] {
    private static let keys = [
        "issuer", "audience", "keysFile", "algorithms", "groupsClaim", "scopesClaim", "rate", "concurrent",
    ]

    /// The codec of the issuers of JSON Web Tokens. The files with keys are read when the configuration is read.
    static var tokenIssuers: ValueCodec {
        mappings(
            of: "issuers", most: 64, keys: keys,
            example: "{issuer: \"https://id.example.com\", audience: appgroupd, keysFile: /etc/appgroupd/jwks.json}",
            names: { [$0.issuer] }, read: issuer(_:), json: json(of:))
    }

    private static let algorithms = ValueCodec<[VerificationKey.Algorithm]>.list(
        of: "algorithms", ValueCodec<VerificationKey.Algorithm>.choice, atLeast: 1)

    private static func issuer(_ reader: inout MappingReader) -> TokenIssuer? {
        let issuer = reader.required("issuer", .claimText)
        let audience = reader.required("audience", .claimText)
        let algorithms = reader.value("algorithms", Self.algorithms) ?? []
        let keys = reader.required("keysFile", .verificationKeys(algorithms))
        let groups = reader.value("groupsClaim", .claimText) ?? "groups"
        let scopes = reader.value("scopesClaim", .claimText) ?? "scope"
        let limits = CallLimits(reading: &reader)
        guard let issuer, let audience, let keys else { return nil }
        return TokenIssuer(
            issuer: issuer, audience: audience, keys: keys, algorithms: algorithms, groupsClaim: groups,
            scopesClaim: scopes, limits: limits)
    }

    private static func json(of issuer: TokenIssuer) -> JSONObject {
        var shown: JSONObject = [
            "issuer": .string(issuer.issuer), "audience": .string(issuer.audience),
            "keysFile": .string(issuer.keys.path),
        ]
        if !issuer.algorithms.isEmpty {
            shown.append("algorithms", .array(issuer.algorithms.map { .string($0.rawValue) }))
        }
        shown.append("groupsClaim", .string(issuer.groupsClaim))
        shown.append("scopesClaim", .string(issuer.scopesClaim))
        issuer.limits.append(to: &shown)
        return shown
    }
}

extension CallLimits {
    fileprivate init(reading reader: inout MappingReader) {
        self.init(
            rate: reader.value("rate", .number(1...1_000_000)),
            concurrent: reader.value("concurrent", .number(1...1_000_000)))
    }

    fileprivate func append(to shown: inout JSONObject) {
        if let rate { shown.append("rate", .number(JSONNumber(rate))) }
        if let concurrent { shown.append("concurrent", .number(JSONNumber(concurrent))) }
    }
}

extension ValueCodec {
    /// Returns the codec of a list of mappings, each with another name.
    ///
    /// - Parameter names: A function that returns the texts of an element that no other element may have.
    /// - Parameter read: A function that reads an element; it returns `nil` if it has recorded an error in the reader.
    static func mappings<Element>(
        of plural: String, most: Int, keys: [String], example: String, names: @escaping @Sendable (Element) -> [String],
        read: @escaping @Sendable (inout MappingReader) -> Element?,
        json: @escaping @Sendable (Element) -> JSONObject
    ) -> ValueCodec where Value == [Element] {
        ValueCodec(
            expected: "a list of \(plural), such as [\(example)]", shape: .listOfMappings,
            read: { value throws(ValueErrors) in
                var earlier: Set<String> = []
                return try value.elements(of: plural, most: most, plural) { entry, _ throws(ValueErrors) in
                    var reader = try MappingReader(entry, keys: keys)
                    let element = read(&reader)
                    try reader.finish()
                    guard let element else { throw entry.refusal("is not complete") }
                    if let same = names(element).first(where: earlier.contains) {
                        throw entry.refusal("\(QuotedText.quote(same)) occurs twice: keep one of them")
                    }
                    earlier.formUnion(names(element))
                    return element
                }
            },
            json: { .array($0.map { .object(json($0)) }) })
    }
}
