import Base
import FeatureKit
import FoundationEssentials
import MediaFetcher
import NotificationModel
import ServiceConfiguration

/// A probe of the egress proxy. It requests tunnels to hosts that do not exist, as the daemon does for media.
///
/// No host of a third party receives a request: the name does not exist (RFC 6761 §6.5), and no host has the address
/// (RFC 5737). A working proxy answers that it cannot reach the name and the address.
struct ProxyProbe {
    private static let nobody = "https://appgroupd.example/"
    private static let nowhere = "https://192.0.2.1/"
    /// The maximum time for one answer of the proxy.
    private static let patience: Duration = .seconds(3)

    private let proxy: EgressProxy
    private let policy: FetchPolicy

    /// - Returns: `nil` if no `fetch.proxy` is configured.
    init?(_ configuration: Configuration) {
        var policy = FetchPolicy(configuration)
        guard let proxy = policy.proxy else { return nil }
        policy.schemes = ["https"]
        policy.hosts = HostAllowlist()
        policy.addresses = AddressPolicy(allowed: ["192.0.2.1"].compactMap { AddressRange($0) })
        policy.limits.circuitBreaker = false
        policy.limits.connect = Self.patience
        (self.proxy, self.policy) = (proxy, policy)
    }

    func look() async -> Answer {
        let name = await ask(Self.nobody, resolvesNames: true)
        switch name.cause {
        case .unusable?:
            return .failed(
                name.detail, remedy: "Check fetch.proxy: an http or https URL of a proxy that opens tunnels (CONNECT).")
        case .credentials?: return .failed(name.parts.found, remedy: name.parts.remedy)
        case .timeout?:
            return .failed(name.detail, remedy: "Check the proxy: it must answer to CONNECT within \(Self.patience).")
        case nil, .refused?, .unreachable?: break
        }
        guard !proxy.resolvesNames else { return answer(to: name) }
        let address = await ask(Self.nowhere, resolvesNames: false)
        guard address.cause == .refused, name.cause != .refused else { return answer(to: address) }
        let remedy =
            "Permit CONNECT to addresses in the proxy, or set fetch.proxyResolves: true (docs/reference/fetching.md, 'Proxies')."
        return .warning("\(address.parts.found), and refuses no name", remedy: remedy)
    }

    private func answer(to probe: Attempt) -> Answer {
        guard probe.cause == .refused else {
            return .ok("\(proxy.endpoint.hostAndPort): answers\(probe.cause == nil ? " and opens tunnels" : "")")
        }
        let remedy =
            "Permit this machine and the hosts of media in the proxy. A proxy that permits only these answers like this."
        return .warning(probe.parts.found, remedy: remedy)
    }

    /// The result of a request for one tunnel.
    private struct Attempt {
        /// The cause for which no tunnel was opened; `nil` if a tunnel was opened.
        let cause: ProxyFailure.Cause?
        /// The failure as text: the answer of the proxy up to the word CONNECT, followed by a colon and the correction.
        let detail: String

        var parts: (found: String, remedy: String) {
            guard let colon = detail.firstRange(of: " CONNECT: ") else { return (detail, "Check the proxy.") }
            let remedy = Answer.sentence(String(detail[colon.upperBound...]))
            return (detail[..<colon.lowerBound] + " CONNECT", remedy)
        }
    }

    private func ask(_ url: String, resolvesNames: Bool) async -> Attempt {
        var policy = policy
        policy.proxy = EgressProxy(proxy.endpoint, resolvesNames: resolvesNames)
        let cause = Guarded<ProxyFailure.Cause?>(nil)
        do throws(MediaFailure) {
            let fetcher = try HTTPMediaFetcher(
                policy: policy, userAgent: "appgroupd/\(Installation.version) doctor",
                observer: { event in
                    guard case .tunnelFailed(let failure) = event else { return }
                    cause.withLock { $0 = $0 ?? failure }
                })
            let deadline = MonotonicInstant.now + Self.patience + .seconds(1)
            let request = FetchRequest(url: url, deadline: deadline, trace: StageTrace()) {
                () throws(MediaFailure) in
                throw MediaFailure(.storageFailed, "the probe stores no file")
            }
            let result = await fetcher.fetch(request)
            await fetcher.shutdown()
            _ = try result.get()
            return Attempt(cause: nil, detail: "")
        } catch {
            // A tunnel that leads to no host cannot complete TLS, so these failures mean that the tunnel was opened.
            let isOpened = [.tlsFailed, .connectionLost].contains(error.reason)
            return Attempt(cause: cause.withLock { $0 } ?? (isOpened ? nil : .unusable), detail: error.detail)
        }
    }
}
