import NotificationModel
import WebURL

/// The tunnel of one transfer through the egress proxy.
struct Tunnel: Sendable {
    let proxy: ProxyEndpoint
    /// The addresses of the proxy, in the order in which they are tried.
    let proxyAddresses: [IPAddress]
    /// The validated address of the origin to which the proxy must connect; `nil` if the proxy gets the host of the
    /// URL.
    let target: IPAddress?
    /// The host and the port of the URL.
    let origin: String

    /// The target of the tunnel for libcurl (CURLOPT_CONNECT_TO). libcurl reuses a tunnel only for the same host and
    /// the same address. An address that was validated for one name is therefore never used for another.
    var connectTo: [String] {
        guard let target else { return [] }
        return ["::\(target.textInURL):"]
    }

    /// The addresses of the proxy's name for libcurl; `nil` if the configuration has an address.
    var pin: AddressPin? {
        guard proxy.address == nil else { return nil }
        return AddressPin(host: proxy.host, port: proxy.port, addresses: proxyAddresses)
    }

    /// The target of the tunnel, for messages.
    var destination: String { target.map { "\(origin) at \($0.textInURL)" } ?? origin }

    /// Adds the proxy to the detail of a failure that the proxy may have caused.
    func naming(_ failure: MediaFailure) -> MediaFailure {
        let reasons: [DegradationReason] = [
            .connectFailed, .tlsFailed, .connectionLost, .truncated, .budgetExceeded,
        ]
        guard reasons.contains(failure.reason), !failure.detail.contains(proxy.words) else { return failure }
        return MediaFailure(failure.reason, "\(failure.detail), through \(proxy.words)")
    }

    /// Returns the address for an attempt. Attempts alternate between IPv4 and IPv6, because the proxy may have a route
    /// to only one of them.
    static func target(ofAttempt number: Int, among addresses: [IPAddress]) -> IPAddress? {
        guard let first = addresses.first else { return nil }
        let same = addresses.filter { $0.isV4 == first.isV4 }
        let other = addresses.filter { $0.isV4 != first.isV4 }
        guard !other.isEmpty else { return same[(number - 1) % same.count] }
        let family = number.isMultiple(of: 2) ? other : same
        return family[(number - 1) / 2 % family.count]
    }
}

extension IPAddress {
    fileprivate var isV4: Bool {
        if case .v4 = self { true } else { false }
    }
}
