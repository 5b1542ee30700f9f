import Base
import FoundationEssentials

extension ValueCodec where Value == [String: Configuration.HostTrust] {
    /// The codec of the hosts, each with its trusted certificates and keys.
    static var hostTrusts: ValueCodec {
        ValueCodec(
            expected: "a mapping of at most \(most) hosts, such as {HOST: {caFile: PATH, pin: sha256//KEY}}",
            shape: .mapping,
            read: { value throws(ValueErrors) in
                let hosts = try value.byHost("hosts with their caFile and pin") { host, value throws(ValueErrors) in
                    do throws(ValueErrors) { return try trust(value) } catch {
                        throw ValueErrors(error.below(".\(host)"))
                    }
                }
                guard hosts.count <= most else { throw value.refusal("has more than \(most) hosts: remove some") }
                return hosts
            }, json: json(of:))
    }

    /// The maximum number of hosts. The certificates of each host are kept in memory together with those for all hosts.
    private static let most = 50

    private static func trust(_ value: ConfigNode) throws(ValueErrors) -> Configuration.HostTrust {
        var reader = try MappingReader(value, keys: ["caFile", "pin"])
        var trust = Configuration.HostTrust()
        trust.caFile = reader.value("caFile", .path)
        trust.pins = reader.value("pin", .publicKeyPins) ?? []
        try reader.finish()
        guard trust.caFile != nil || !trust.pins.isEmpty else {
            throw value.refusal("has neither caFile nor pin: add one, or remove the host")
        }
        return trust
    }

    private static func json(of hosts: Value) -> JSONValue {
        .object(
            hosts.sorted { $0.key < $1.key }.reduce(into: JSONObject()) { shown, host in
                var trust = JSONObject()
                if let file = host.value.caFile { trust.append("caFile", .string(file)) }
                if !host.value.pins.isEmpty { trust.append("pin", .array(host.value.pins.map { .string($0) })) }
                shown.append(host.key, .object(trust))
            })
    }
}

extension ValueCodec where Value == [String] {
    /// The codec of one public key or a list of public keys.
    fileprivate static var publicKeyPins: ValueCodec {
        let list = list(of: "public keys", .publicKeyPin, atLeast: 1)
        return ValueCodec(
            expected: list.expected, shape: list.shape,
            read: { value throws(ValueErrors) in
                guard case .text = value.content else { return try list.read(value) }
                return [try ValueCodec<String>.publicKeyPin.read(value)]
            }, json: list.json)
    }
}

extension ValueCodec where Value == String {
    /// The codec of the digest of a SubjectPublicKeyInfo, in the form of libcurl and RFC 7469.
    static var publicKeyPin: ValueCodec {
        text(
            "the SHA-256 of a public key", as: "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
            { text in
                let prefix = "sha256//"
                guard text.hasPrefix(prefix), Data(base64Encoded: String(text.dropFirst(prefix.count)))?.count == 32
                else { return nil }
                return text
            }, shown: { .string($0) })
    }
}
