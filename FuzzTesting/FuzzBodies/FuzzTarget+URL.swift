import Base
import MediaFetcher
import NotificationModel

extension FuzzTarget {
    /// A policy that permits public addresses only, and one that permits all addresses and ports.
    private static let policies = [FetchPolicy(), open]

    private static let open: FetchPolicy = {
        var policy = FetchPolicy()
        policy.addresses = AddressPolicy(allowed: ["0.0.0.0/0", "::/0"].compactMap(AddressRange.init))
        return policy
    }()

    /// Validates URLs. The first line is the URL of a payload, and the rest is a redirect of its origin.
    static func url(_ bytes: [UInt8]) throws(FuzzFinding) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        if let address = IPAddress(lines[0]) {
            try require(IPAddress(address.text) == address, "an address is written as it was read")
        }
        if let inline = InlineMedia(lines[0]) { _ = (inline.declaredType, try? inline.bytes()) }
        let canonical = PurgeTarget.canonicalURL(lines[0])
        try require(PurgeTarget.canonicalURL(canonical) == canonical, "a canonical URL is canonical")
        for policy in policies {
            guard let url = try? policy.validate(lines[0]) else { continue }
            try requireValid(url, by: policy)
            guard lines.count > 1, let target = try? policy.validate(lines[1], redirectedFrom: url) else { continue }
            try requireValid(target, by: policy)
            try require(target.isSecure || !url.isSecure, "a redirect keeps TLS")
        }
    }

    private static func requireValid(_ url: ValidatedURL, by policy: FetchPolicy) throws(FuzzFinding) {
        let again = try unwrap(try? policy.validate(url.text), "a validated URL is valid")
        try require(again == url, "a validated URL is validated to itself")
        try require(
            (again.scheme, again.host, again.port, again.hostAndPort)
                == (url.scheme, url.host, url.port, url.hostAndPort) && again.address == url.address,
            "a validated URL has the same origin when it is read again")
        try require(url.text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a validated URL is printable ASCII")
        try require(policy.schemes.contains(url.scheme), "a validated URL has a permitted scheme")
        try require(!url.host.isEmpty && url.port > 0, "a validated URL has an origin")
        try require(IPAddress(url.host) == url.address, "a host that is an address is judged as one")
    }
}
