extension TransferTiming {
    /// As verdicts show it; what did not happen is `null`.
    package var json: JSONValue {
        [
            "origin": .string(origin),
            "address": .text(address),
            "port": port.map { .number(JSONNumber($0)) } ?? .null,
            "protocol": .text(protocolName),
            "reused": .bool(isReused),
            "dnsMs": Self.milliseconds(dns),
            "connectMs": Self.milliseconds(connect),
            "tlsMs": Self.milliseconds(tls),
            "waitMs": Self.milliseconds(wait),
            "bodyMs": Self.milliseconds(body),
            "wireBytes": .number(JSONNumber(wireBytes)),
            "bodyBytes": .number(JSONNumber(bodyBytes)),
            "status": status.map { .number(JSONNumber($0)) } ?? .null,
            "reason": .text(failure?.rawValue),
        ]
    }

    private static func milliseconds(_ duration: Duration?) -> JSONValue {
        duration.map { .number(.tenths(of: $0)) } ?? .null
    }
}
