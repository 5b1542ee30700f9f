package import NotificationModel

/// Where a reference leads: most are URLs; some need to be told whose server they are on.
package struct MediaURLResolver: Sendable {
    /// Of Matrix: `https://…`; `nil` asks the server that the reference names.
    package var homeserver: String?
    /// Of Home Assistant, for references that begin with `/`.
    package var homeAssistant: String?

    package init(homeserver: String? = nil, homeAssistant: String? = nil) {
        self.homeserver = homeserver
        self.homeAssistant = homeAssistant
    }

    /// No segment goes up (RFC 3986 §5.2.4), percent-encoded or not; a backslash counts as a slash, as browsers have it.
    private static func staysBelow(_ reference: String) -> Bool {
        let path = reference.prefix { $0 != "?" && $0 != "#" }.lowercased().split(
            separator: "%2e", omittingEmptySubsequences: false
        )
        .joined(separator: ".")
        return !path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).contains { $0 == ".." }
            && !path.contains("%2f") && !path.contains("%5c")
    }

    /// In the order in which they are to be tried; why there are none otherwise.
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
