package import Base
package import NotificationModel

extension FetchPolicy {
    /// Validates a URL of a payload, and an address in it, before its host is resolved. Throws `invalidURL`,
    /// `forbiddenScheme`, `forbiddenHost`, or `forbiddenAddress` if the policy does not allow the address or the port.
    package func validate(_ text: String) throws(MediaFailure) -> ValidatedURL {
        let judged = try read(text)
        if let refusal = addresses.refusal(of: judged.port) { throw Self.forbiddenAddress(refusal) }
        if !judged.isSecure, trusts.isPinned(judged.host) {
            throw MediaFailure(.forbiddenScheme, "fetch.hosts has a pin for \(judged.host), so only https is fetched")
        }
        if let address = judged.address { try validate(CollectionOfOne(address), for: judged) }
        if leavesNameToProxy(judged) { try validateWithoutAddress(judged) }
        return judged
    }

    private func read(_ text: String) throws(MediaFailure) -> ValidatedURL {
        let text = WebURL.repaired(text)
        // The scheme is validated first. For `data:` and `javascript:` URLs, its error is clearer than any other.
        if let scheme = URIReference.scheme(of: text) { try judgeScheme(scheme) }
        let url = try WebURL.parse(text)
        return try ValidatedURL(url, isInside: try judgeHost(url.host))
    }

    private func judgeScheme(_ scheme: String) throws(MediaFailure) {
        guard !schemes.contains(scheme) else { return }
        throw MediaFailure(.forbiddenScheme, "only \(schemes.sorted().joined(separator: " and ")) are fetched")
    }

    /// Validates the target of a redirect, an absolute or relative reference. Throws `forbiddenAddress`, or
    /// `redirectRefused` for all other refusals.
    package func validate(
        _ reference: String, redirectedFrom origin: ValidatedURL
    ) throws(MediaFailure) -> ValidatedURL {
        let target: ValidatedURL
        do throws(MediaFailure) {
            target = try validate(URIReference(origin.text).resolving(WebURL.repaired(reference)))
        } catch {
            guard error.reason != .forbiddenAddress else { throw error }
            throw MediaFailure(
                .redirectRefused, "the origin redirects to a URL that may not be fetched: \(error.detail)")
        }
        guard target.isSecure || !origin.isSecure else {
            throw MediaFailure(.redirectRefused, "the origin redirects from https to http")
        }
        return target
    }

    /// Validates all resolved addresses of a host before any connection. Throws `forbiddenAddress` for a forbidden
    /// address or port, and `forbiddenHost` if an internal name has an address outside of the allowed ranges.
    package func validate(_ resolved: some Collection<IPAddress>, for url: ValidatedURL) throws(MediaFailure) {
        if case .refused(let why) = addresses.decide(resolved, port: url.port) { throw Self.forbiddenAddress(why) }
        guard !url.isInside || resolved.allSatisfy(addresses.exempts) else {
            throw MediaFailure(.forbiddenHost, "the name is for internal networks, but its address is not permitted")
        }
    }

    /// Validates a host, and returns whether it is an internal name, which must resolve to allowed addresses.
    private func judgeHost(_ host: WebHost) throws(MediaFailure) -> Bool {
        if !hosts.isOpen, let refusal = hosts.refusal(of: host.text) { throw MediaFailure(.forbiddenHost, refusal) }
        guard case .name(let name) = host, let special = SpecialUseDomain(name) else { return false }
        switch special {
        case .nonDNS(let source):
            throw MediaFailure(.forbiddenHost, "the host is not in DNS (\(source))")
        case .privateNetwork(let what):
            if hosts.names(name) { return false }
            // If ranges are allowed, the name may resolve to one of their addresses, like localhost.
            guard !addresses.allowed.isEmpty else {
                throw MediaFailure(
                    .forbiddenHost, "the host is not public (\(what)); --allow-address permits a range of your own")
            }
            return true
        }
    }

    private static func forbiddenAddress(_ why: String) -> MediaFailure {
        MediaFailure(.forbiddenAddress, "\(why); --allow-address permits a range of your own")
    }
}
