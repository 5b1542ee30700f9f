import HTTPTypes

/// Fields that are for one connection, not for what comes over it (RFC 9110 §7.6.1, RFC 9111 §3.1).
enum ConnectionFields {
    private static let names: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// The fields without those, and without the ones that `Connection` names.
    static func removed(from fields: HTTPFields) -> HTTPFields {
        let named = ListField.elements(fields[values: .connection]).map { $0.lowercased() }
        let gone = names.union(named)
        var kept = HTTPFields()
        for field in fields where !gone.contains(field.name.canonicalName) { kept.append(field) }
        return kept
    }
}
