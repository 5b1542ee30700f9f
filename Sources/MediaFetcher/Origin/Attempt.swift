import HTTPCaching
import HTTPTypes
import NotificationModel

extension OriginRequest {
    /// The fields as they are and no others, in libcurl's way of writing them (CURLOPT_HTTPHEADER): `Name: value`,
    /// `Name;` for one without a value, and `Name:` for one of its own that is not to be sent.
    var lines: [String] {
        var lines = fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        for name in [HTTPField.Name.accept, .contentType, .expect] where !fields.contains(name) {
            lines.append("\(name):")
        }
        // Without it, an origin may wait for a body (RFC 9110 §8.6).
        if body.isEmpty, [.post, .put, .patch].contains(method) { lines.append("Content-Length: 0") }
        return lines
    }
}

/// One try of a download: its place in its host's line, to be given back at its end, and what it has found out.
///
/// An object: what lives as long as a try does not belong into the frames of the task that carries it.
final class Attempt {
    let download: OriginFetch
    let url: ValidatedURL
    let errand: FetchContext
    /// It finds out how the host is.
    let isProbe: Bool
    /// `nil`: the URL has an address, or none was found yet.
    var pin: AddressPin?
    /// `nil`: the host is connected to directly.
    var tunnel: Tunnel?
    /// What finding it took.
    var dns: Duration?
    var permit: FairHostQueue.Permit?
    /// Whether the host did what a host does; `nil` where it was not asked, or not to the end.
    var hostSucceeded: Bool?

    /// The judged addresses of the host; empty if a proxy resolves its name.
    var addresses: [IPAddress] { url.address.map { [$0] } ?? pin?.addresses ?? [] }

    /// Whether every address of the host is one of this machine alone.
    var isOnLoopback: Bool {
        tunnel == nil && !addresses.isEmpty && addresses.allSatisfy { $0.text.hasPrefix("127.") || $0.text == "::1" }
    }

    init(_ download: OriginFetch, at url: ValidatedURL, for errand: FetchContext, isProbe: Bool) {
        self.download = download
        self.url = url
        self.errand = errand
        self.isProbe = isProbe
    }
}
