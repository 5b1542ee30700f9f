package import JSON

/// A request to an origin and its result: the durations of its parts, its connection, and the bytes.
///
/// A fetch has several timings if it follows redirects or tries again.
package struct TransferTiming: Sendable, Equatable {
    /// The origin without credentials, path and query: `https://cdn.example:8443`.
    package var origin: String
    /// The address of the connection; `nil` if no connection was opened.
    package var address: String?
    package var port: Int?
    /// The protocol `http/1.0`, `http/1.1` or `h2`; `nil` before a response.
    package var protocolName: String?
    /// Whether the connection had carried a request before.
    package var isReused = false
    /// Whether a second connection was opened for the request because the first did not respond. The times are those of
    /// the connection that ended first.
    package var isHedged = false
    package var dns: Duration?
    package var connect: Duration?
    package var tls: Duration?
    /// The time from the request to the end of the response's headers, or to the end of the transfer if there are none.
    package var wait: Duration?
    /// The time from the end of the response's headers to the end of the transfer.
    package var body: Duration?
    /// The bytes of the body, as transferred.
    package var wireBytes = 0
    /// The bytes of the body after decoding.
    package var bodyBytes = 0
    package var status: Int?
    /// The reason for which the response was not used; `nil` if it was used.
    package var failure: DegradationReason?
    /// Whether another request had begun the transfer, so that a sum over requests counts it there.
    package var isOfOther = false
    /// The record of the answer; `nil` if the daemon does not record requests.
    package var record: TransferRecord?

    package init(origin: String) { self.origin = origin }
}

extension TransferTiming {
    /// The JSON of the timing in verdicts. Parts that did not happen are `null`.
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
