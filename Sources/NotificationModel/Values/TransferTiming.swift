package import JSON

/// One request to an origin and what became of it: where its time went, over which connection, how many bytes.
///
/// A fetch has several where it follows redirects or tries again.
package struct TransferTiming: Sendable, Equatable {
    /// Without credentials, path and query: `https://cdn.example:8443`.
    package var origin: String
    /// The address that was connected to; `nil` when it did not come so far.
    package var address: String?
    package var port: Int?
    /// `http/1.0`, `http/1.1` or `h2`; `nil` before an answer.
    package var protocolName: String?
    /// The connection had carried a request before.
    package var isReused = false
    /// A second connection was opened for the request after a silence. The times are those of the one that ended first.
    package var isHedged = false
    package var dns: Duration?
    package var connect: Duration?
    package var tls: Duration?
    /// From the request to the end of the answer's head, or to the end of the transfer if there is none.
    package var wait: Duration?
    /// From the end of the answer's head to the end of the transfer.
    package var body: Duration?
    /// Of the body, as they came over the wire.
    package var wireBytes = 0
    /// Of the body, decoded.
    package var bodyBytes = 0
    package var status: Int?
    /// Why it was not used, where it was not.
    package var failure: DegradationReason?

    package init(origin: String) { self.origin = origin }
}

extension TransferTiming {
    /// As verdicts show it; what did not happen is `null`.
    package var json: JSONValue {
        [
            "origin": .string(origin),
            "address": .text(address),
            "port": port.map { .number(JSONNumber($0)) } ?? .null,
            "protocol": .text(protocolName),
            "reused": .bool(isReused),
            "hedged": .bool(isHedged),
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
