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
        let bytes = url.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
            return nil
        }
        let authority = bytes[colon...].dropFirst(3).prefix { !"/?#".utf8.contains($0) }
        if authority.first == UInt8(ascii: "[") {
            return String(decoding: authority.dropFirst().prefix { $0 != UInt8(ascii: "]") }, as: UTF8.self)
        }
        let host = String(decoding: authority.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        return host.isEmpty ? nil : host
    }
}

/// The result of a purge.
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
