package import FoundationEssentials
package import NotificationModel
import Primitives
import WebURL

/// The public URLs of renditions: their form, their ends and their signatures.
///
/// A URL is `BASE/v1/media/GROUP/FILE`. If there are keys, the query `expires=SECONDS&signature=CODE` follows. `SECONDS`
/// is the end of the URL in seconds since 1970. `CODE` is the HMAC-SHA256 of the URL from `/v1/` to `SECONDS`, in
/// base64url.
package struct MediaURLs: Sendable, Equatable {
    /// The reason for which a URL does not permit the download.
    package enum Refusal: Error, Sendable, Equatable, CaseIterable {
        /// The URL has no signature.
        case unsigned
        /// No key has made the signature for this URL.
        case forged
        /// The URL has ended.
        case expired
    }

    /// The longest life of a signed URL, in seconds: 30 days. The container keeps no file longer than this.
    package static let longestLife: TimeInterval = 30 * 86_400
    /// The ends of URLs without an end of their own are multiples of this number of seconds. The notifications of one
    /// hour then have the same URL of a rendition, so caches between the daemon and the phones have it once.
    private static let roundness: TimeInterval = 3_600

    private let base: String
    private let keys: MediaURLKeys?
    private let life: TimeInterval

    /// - Parameter base: The beginning of the URLs, without a slash at its end.
    /// - Parameter keys: The keys of the signatures; `nil` if the URLs need no signature and never end.
    /// - Parameter life: The longest time for which a signed URL is valid, in seconds.
    package init(base: String, keys: MediaURLKeys? = nil, life: TimeInterval = longestLife) {
        self.base = base
        self.keys = keys
        self.life = min(life, Self.longestLife)
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
        let signed = Self.signed(path, until: "\(Int64(end.timeIntervalSince1970))")
        return "\(base)\(signed)&signature=\(keys.signature(of: signed))"
    }

    /// Checks the query of a URL.
    ///
    /// - Parameter end: The text of `expires`; `nil` if the query has no such parameter.
    /// - Parameter signature: The text of `signature`; `nil` if the query has no such parameter.
    /// - Returns: The number of seconds for which the URL is still valid; `nil` if it never ends.
    package func check(
        _ file: some StringProtocol, in group: AppGroupName, until end: String?, signature: String?, at now: Date
    ) throws(Refusal) -> Int? {
        guard let keys else { return nil }
        guard let end, let signature else { throw .unsigned }
        guard (1...12).contains(end.utf8.count), end.utf8.allSatisfy(\.isASCIIDigit), let seconds = Int64(end),
            keys.haveSigned(Self.signed(Self.path(of: file, in: group), until: end), as: signature)
        else { throw .forged }
        let rest = Double(seconds) - now.timeIntervalSince1970
        guard rest > 0 else { throw .expired }
        return Int(rest.rounded(.down))
    }

    private static func path(of file: some StringProtocol, in group: AppGroupName) -> String {
        "/v1/media/\(group)/\(file)"
    }

    private static func signed(_ path: String, until end: String) -> String { "\(path)?expires=\(end)" }
}

/// The keys that sign the URLs of renditions. During a rotation there are two: the first key signs, and signatures of
/// both are valid.
package struct MediaURLKeys: Sendable, Equatable {
    /// The reason for which a text has no usable keys.
    package struct Unusable: Error, Equatable {
        package let reason: String
    }

    /// The shortest key, in characters. 32 random bytes have 43 characters in Base64 without padding.
    package static let leastLength = 43

    private let keys: [[UInt8]]

    /// Reads one or two keys, each on a line of its own.
    package init(_ text: String) throws(Unusable) {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingBlanks }.filter { !$0.isEmpty }
        guard (1...2).contains(lines.count) else {
            throw Unusable(reason: "has \(lines.count) lines with keys: write one key, or two during a rotation")
        }
        guard lines.allSatisfy({ $0.utf8.count >= Self.leastLength }) else {
            throw Unusable(
                reason:
                    "has a key of fewer than \(Self.leastLength) characters, which could be guessed: make one with openssl rand -base64 32"
            )
        }
        keys = lines.map { Array($0.utf8) }
    }

    func signature(of text: String) -> String {
        Base64URL.text(of: MessageAuthentication.code(of: Array(text.utf8), by: keys[0]))
    }

    func haveSigned(_ text: String, as signature: String) -> Bool {
        // The last character of another spelling has other spare bits.
        guard let code = Base64URL.bytes(of: signature), Base64URL.text(of: code) == signature else { return false }
        let bytes = Array(text.utf8)
        return keys.contains { MessageAuthentication.isValid(code, of: bytes, by: $0) }
    }
}
