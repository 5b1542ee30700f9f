import Base

extension ValueCodec where Value == [String: [HeaderField]] {
    /// The codec of the hosts, each with its headers. A value is a text or `{file: PATH}`, and is never shown.
    static var headers: ValueCodec {
        ValueCodec(
            expected:
                "a mapping of hosts to headers, such as {HOST: {NAME: {file: PATH}}}",
            shape: .mapping, read: readHosts(_:),
            json: { hosts in
                .object(
                    hosts.sorted { $0.key < $1.key }.reduce(into: JSONObject()) { shown, host in
                        shown.append(
                            host.key,
                            .object(
                                host.value.reduce(into: JSONObject()) { $0.append($1.name, .string(SecretText.shown)) })
                        )
                    })
            })
    }

    private static func readHosts(_ value: ConfigNode) throws(ValueErrors) -> Value {
        try value.byHost("hosts with their headers") { _, value throws(ValueErrors) in try readFields(value) }
    }

    private static func readFields(_ value: ConfigNode) throws(ValueErrors) -> [HeaderField] {
        var fields: [HeaderField] = []
        try value.forEachMember("header names with their values") { member throws(ValueErrors) in
            if let problem = HeaderField.problem(withName: member.name) { throw ValueErrors(member.source, problem) }
            guard !fields.contains(where: { $0.name.lowercased() == member.name.lowercased() }) else {
                throw ValueErrors(member.source, "\(member.name) occurs twice: keep one of them")
            }
            let secret = try readSecret(member.value, of: member.name)
            guard HeaderField.isValue(secret.value) else {
                throw ValueErrors(
                    member.value.source, "the value of \(member.name) has bytes that no header can carry: use ASCII")
            }
            fields.append(HeaderField(name: member.name, value: secret))
        }
        return fields.sorted { $0.name < $1.name }
    }

    private static func readSecret(_ value: ConfigNode, of name: String) throws(ValueErrors) -> SecretText {
        switch value.content {
        case .text(let text): return SecretText(text)
        case .map(let members) where members.map(\.name) == ["file"]:
            return try SecretFile.read(members[0].value).secret
        case .map, .list, .nothing: throw value.refusal("the value of \(name) must be a text, or {file: PATH}")
        }
    }
}

extension ConfigNode {
    /// Reads a mapping of hosts. The reading continues after an invalid member, and all errors are reported.
    func byHost<Value>(
        _ expected: String, _ read: (_ host: String, ConfigNode) throws(ValueErrors) -> Value
    ) throws(ValueErrors) -> [String: Value] {
        var hosts: [String: Value] = [:]
        try forEachMember(expected) { member throws(ValueErrors) in
            guard let host = HostText.parse(member.name) else {
                throw ValueErrors(
                    member.source,
                    "\(QuotedText.quote(member.name)) is not a host without scheme and port, such as media.example.com")
            }
            guard hosts[host] == nil else {
                throw ValueErrors(member.source, "\(host) occurs twice: put both into one")
            }
            hosts[host] = try read(host, member.value)
        }
        return hosts
    }

    func forEachMember(
        _ expected: String, _ body: (Member) throws(ValueErrors) -> Void
    ) throws(ValueErrors) {
        // The message does not repeat a value that is not a mapping, because it may be a secret.
        guard case .map(let members) = content else { throw refusal("must be a mapping of \(expected)") }
        var refusals: [ValueError] = []
        for member in members {
            do throws(ValueErrors) { try body(member) } catch { refusals += error.all }
        }
        guard refusals.isEmpty else { throw ValueErrors(refusals) }
    }
}
