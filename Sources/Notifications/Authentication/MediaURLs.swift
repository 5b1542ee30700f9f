import Base
package import FoundationEssentials
package import NotificationModel

/// The public URLs of renditions: their form, their ends and their signatures.
///
/// A URL is `BASE/v1/media/GROUP/FILE`. If there are keys, the query `expires=SECONDS&signature=CODE` of
/// ``URLSigningKeys`` follows.
package struct MediaURLs: Sendable, Equatable {
    /// The longest life of a signed URL, in seconds: 30 days. The container keeps no file longer than this.
    package static let maxLife: TimeInterval = 30 * 86_400
    /// The ends of URLs without an end of their own are multiples of this number of seconds. The notifications of one
    /// hour then have the same URL of a rendition, so caches between the daemon and the phones have it once.
    private static let roundness: TimeInterval = 3_600

    private let base: String
    private let keys: URLSigningKeys?
    private let life: TimeInterval

    /// - Parameter base: The beginning of the URLs, without a slash at its end.
    /// - Parameter keys: The keys of the signatures; `nil` if the URLs need no signature and never end.
    /// - Parameter life: The longest time for which a signed URL is valid, in seconds.
    package init(base: String, keys: URLSigningKeys? = nil, life: TimeInterval = maxLife) {
        self.base = base
        self.keys = keys
        self.life = min(life, Self.maxLife)
    }

    /// Returns the end of the URLs of a message, which is the end of the message itself if that is sooner than the
    /// longest life of a URL; `nil` if the URLs never end.
    ///
    /// - Parameter expiry: The end of the message; `nil` if it has none, or if it has ended already.
    package func end(ofMessageUntil expiry: Date?, at now: Date) -> Date? {
        guard keys != nil else { return nil }
        let latest = now.timeIntervalSince1970 + life
        if let expiry, expiry.timeIntervalSince1970 <= latest {
            return Date(timeIntervalSince1970: expiry.timeIntervalSince1970.rounded(.down))
        }
        let roundness = min(Self.roundness, (life / 8).rounded(.up))
        return Date(timeIntervalSince1970: (latest / roundness).rounded(.down) * roundness)
    }

    /// Returns the URL of a rendition.
    ///
    /// - Parameter file: The name of the file: the digest with the extension.
    /// - Parameter end: The end of the URL, from ``end(ofMessageUntil:at:)``.
    package func url(of file: some StringProtocol, in group: AppGroupName, until end: Date?) -> String {
        let path = Self.path(of: file, in: group)
        guard let keys, let end else { return base + path }
        return base + keys.signed(path, until: end)
    }

    /// Checks the query of a URL.
    ///
    /// - Parameter end: The text of `expires`; `nil` if the query has no such parameter.
    /// - Parameter signature: The text of `signature`; `nil` if the query has no such parameter.
    /// - Returns: The number of seconds for which the URL is still valid; `nil` if it never ends.
    package func check(
        _ file: some StringProtocol, in group: AppGroupName, until end: String?, signature: String?, at now: Date
    ) throws(URLRefusal) -> Int? {
        guard let keys else { return nil }
        return try keys.check(Self.path(of: file, in: group), until: end, signature: signature, at: now)
    }

    private static func path(of file: some StringProtocol, in group: AppGroupName) -> String {
        "/v1/media/\(group)/\(file)"
    }
}
