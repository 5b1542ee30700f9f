import Base
import HTTPTypes

/// The address of the client of a call, for the log.
enum ClientAddress {
    /// The maximum number of proxies between a client and the daemon.
    private static let maxProxies = 16

    /// Returns the address of the client; `nil` for a call over the unix socket.
    ///
    /// A proxy appends the address of its own client to `Forwarded` (RFC 7239) or to `X-Forwarded-For`. The last address
    /// that is not the address of a trusted proxy is the client. A client can write any text before it.
    ///
    /// If a request has both fields, neither is believed.
    ///
    /// - Parameter proxies: The addresses of the proxies that are believed.
    static func of(
        _ request: HTTPRequest, over connection: Connection, trusting proxies: [AddressRange]
    ) -> IPAddress? {
        guard var client = connection.address else { return nil }
        guard proxies.contains(where: { $0.contains(client) }) else { return client }
        // A proxy writes one of the two fields, and may pass on the other one as the client wrote it.
        let fields = request.headerFields
        guard fields[values: .forwarded].isEmpty || fields[values: .forwardedFor].isEmpty else { return client }
        for address in forwarded(by: fields).reversed().prefix(maxProxies) {
            guard let address else { break }
            client = address
            guard proxies.contains(where: { $0.contains(address) }) else { break }
        }
        return client
    }

    /// Returns the addresses that proxies have added, the last one at the end. An element is `nil` if it is no address.
    private static func forwarded(by fields: HTTPFields) -> [IPAddress?] {
        let forwarded = fields[values: .forwarded]
        guard forwarded.isEmpty else {
            return forwarded.flatMap { $0.split(separator: ",") }.map { element in
                element.split(separator: ";").lazy
                    .map { $0.trimmingSpaces() }
                    .first { $0.lowercased().hasPrefix("for=") }
                    .flatMap { address(in: $0.dropFirst(4)) }
            }
        }
        return fields[values: .forwardedFor].flatMap { $0.split(separator: ",") }
            .map { address(in: $0.trimmingSpaces()) }
    }

    /// Reads an address with or without quotes, brackets and port.
    private static func address(in text: Substring) -> IPAddress? {
        var text = text
        if text.hasPrefix("\""), text.hasSuffix("\""), text.count >= 2 { text = text.dropFirst().dropLast() }
        return IPAddress(String(text)) ?? IPAddress(bracketed: HostAndPort(text).host)
            ?? IPAddress(String(HostAndPort(text).host))
    }
}

extension Substring {
    fileprivate func trimmingSpaces() -> Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
