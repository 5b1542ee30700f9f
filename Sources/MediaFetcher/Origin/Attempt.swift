import HTTPCaching
import HTTPTypes
import WebURL

extension OriginRequest {
    /// The header fields, and no others, in the form of libcurl (CURLOPT_HTTPHEADER). A line is `Name: value`, `Name;`
    /// for an empty value, or `Name:` for a default field of libcurl that must not be sent.
    var lines: [String] {
        var lines = fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        for name in [HTTPField.Name.accept, .contentType, .expect] where !fields.contains(name) {
            lines.append("\(name):")
        }
        // Without `Content-Length: 0`, an origin may wait for a body (RFC 9110 §8.6).
        if body.isEmpty, [.post, .put, .patch].contains(method) { lines.append("Content-Length: 0") }
        return lines
    }
}

/// An attempt of a fetch: its permit, which it gives back at its end, and its results.
///
/// The type is a class, so that its values take no space in the frames of the task that runs it.
final class Attempt {
    let download: OriginFetch
    let url: ValidatedURL
    let context: FetchContext
    /// Whether the attempt tests a host whose circuit breaker is open.
    let isProbe: Bool
    /// The resolved addresses of the host; `nil` if the URL has an address, or if the name is not resolved yet.
    var pin: AddressPin?
    /// The tunnel of the egress proxy; `nil` if the connection is direct.
    var tunnel: Tunnel?
    /// The time that the name resolution took; `nil` if the name was not resolved.
    var dns: Duration?
    var permit: FairHostQueue.Permit?
    /// Whether the attempt shows that the host works; `nil` if the host was not asked, or if the attempt was cancelled.
    var hostSucceeded: Bool?

    /// The validated addresses of the host; empty if a proxy resolves its name.
    var addresses: [IPAddress] { url.address.map { [$0] } ?? pin?.addresses ?? [] }

    /// Whether all addresses of the host are loopback addresses.
    var isOnLoopback: Bool {
        tunnel == nil && !addresses.isEmpty && addresses.allSatisfy { $0.text.hasPrefix("127.") || $0.text == "::1" }
    }

    init(_ download: OriginFetch, at url: ValidatedURL, for context: FetchContext, isProbe: Bool) {
        self.download = download
        self.url = url
        self.context = context
        self.isProbe = isProbe
    }
}
