import Base

/// The media that are purged, by their origin.
package enum PurgeTarget: Sendable, Equatable {
    /// One URL, with all responses for its credentials and `Vary` headers.
    case url(String)
    /// All URLs of a host, with any scheme and port. The value is a name in lower case, or an address without brackets.
    case host(String)
    /// All URLs that begin with a text.
    case prefix(String)

    /// Returns whether a URL, in the form in which it is requested, is purged.
    package func matches(_ url: String) -> Bool {
        switch self {
        case .url(let target): url == target
        case .host(let host): Self.host(of: url).map { $0 == host } ?? false
        case .prefix(let prefix): url.utf8.starts(with: prefix.utf8)
        }
    }

    /// Returns the host of an absolute URL without its port and brackets; `nil` if the URL has none.
    package static func host(of url: String) -> String? {
        guard let place = URIReference(url).hostAndPort, !place.host.isEmpty else { return nil }
        return HostAndPort.unbracketed(place.host)
    }
}

package struct PurgeReport: Sendable, Equatable {
    /// The number of responses that were removed from the HTTP cache.
    package var responses = 0
    /// The number of files that were removed from the containers.
    package var files = 0
    /// The size of these files, in bytes.
    package var bytes = 0
    /// The number of files that are not removed, because other media share them. The purged URLs no longer lead to
    /// them.
    package var sharedFiles = 0

    package init() {}
}
