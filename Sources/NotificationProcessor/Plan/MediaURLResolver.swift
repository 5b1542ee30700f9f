package import FoundationEssentials
package import NotificationModel

/// The resolver of media references. Most references are URLs, but some need the server that they are on.
package struct MediaURLResolver: Sendable {
    /// The Matrix homeserver, `https://…`. If it is `nil`, the URLs are on the server that the reference names.
    package var homeserver: String?
    /// The paths of the files on homeservers.
    package var matrixPaths: MatrixMediaPaths
    /// The Home Assistant server, for references that begin with `/`. If it is `nil`, these references are refused.
    package var homeAssistant: String?

    package init(
        homeserver: String? = nil, matrixPaths: MatrixMediaPaths = MatrixMediaPaths(), homeAssistant: String? = nil
    ) {
        self.homeserver = homeserver
        self.matrixPaths = matrixPaths
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
    ///
    /// - Parameter date: The current date, which decides whether the path of a homeserver is still kept.
    package func locations(
        of reference: MediaReference, dialect: DialectID?, at date: Date = .distantFuture
    ) -> Result<[String], MediaFailure> {
        if reference.url.lowercased().hasPrefix("mxc:") {
            guard let media = MatrixMedia(reference.url) else {
                return .failure(MediaFailure(.invalidURL, "the reference is not an mxc://SERVER/ID"))
            }
            let base = media.base(homeserver: homeserver)
            return .success(matrixPaths.ordered(for: base, at: date).map { media.url(at: $0, of: base) })
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

    /// Keeps the path at which a homeserver has answered, so that its next files are asked for at this path first.
    func keepPath(of location: String, for reference: MediaReference, at date: Date) {
        guard let media = MatrixMedia(reference.url) else { return }
        let base = media.base(homeserver: homeserver)
        guard let path = matrixPaths.paths.first(where: { media.url(at: $0, of: base) == location }) else { return }
        matrixPaths.keep(path, of: base, at: date)
    }
}
