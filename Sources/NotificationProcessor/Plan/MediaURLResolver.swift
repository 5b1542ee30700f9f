package import NotificationModel

/// The resolver of media references. Most references are URLs, but some need the server that they are on.
package struct MediaURLResolver: Sendable {
    /// The Matrix homeserver, `https://…`. If it is `nil`, the URLs are on the server that the reference names.
    package var homeserver: String?
    /// The Home Assistant server, for references that begin with `/`. If it is `nil`, these references are refused.
    package var homeAssistant: String?

    package init(homeserver: String? = nil, homeAssistant: String? = nil) {
        self.homeserver = homeserver
        self.homeAssistant = homeAssistant
    }

    /// Returns whether no segment of the path goes up (RFC 3986 §5.2.4), percent-encoded or not. A backslash is treated
    /// as a slash, as in browsers.
    private static func staysBelow(_ reference: String) -> Bool {
        let path = reference.prefix { $0 != "?" && $0 != "#" }.lowercased().split(
            separator: "%2e", omittingEmptySubsequences: false
        )
        .joined(separator: ".")
        return !path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).contains { $0 == ".." }
            && !path.contains("%2f") && !path.contains("%5c")
    }

    /// Returns the URLs in the order in which they are tried, or the reason why there are no URLs.
    package func locations(of reference: MediaReference, dialect: DialectID?) -> Result<[String], MediaFailure> {
        if reference.url.lowercased().hasPrefix("mxc:") {
            guard let media = MatrixMedia(reference.url) else {
                return .failure(MediaFailure(.invalidURL, "the reference is not an mxc://SERVER/ID"))
            }
            return .success(media.urls(homeserver: homeserver))
        }
        if dialect == "homeassistant", reference.url.hasPrefix("/"), !reference.url.hasPrefix("//") {
            guard let homeAssistant else {
                return .failure(
                    MediaFailure(
                        .invalidURL, "the URL is relative to the Home Assistant server: set homeassistant.baseURL"))
            }
            guard Self.staysBelow(reference.url) else {
                return .failure(MediaFailure(.invalidURL, "the path leads out of homeassistant.baseURL"))
            }
            return .success([homeAssistant + reference.url])
        }
        return .success([reference.url])
    }
}
