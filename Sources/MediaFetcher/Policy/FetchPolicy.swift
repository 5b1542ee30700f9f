import NotificationModel

/// Who may be fetched, and how much of it for how long.
package struct FetchPolicy: Sendable {
    package var addresses = AddressRule()
    package var hosts = HostRule()
    /// Lower case.
    package var schemes: Set<String> = ["https", "http"]
    package var headers = OriginHeaders()
    /// PEM certificates of the authorities that are trusted; `nil`: the system's.
    package var caFile: String?
    package var limits = FetchLimits()

    package init() {}

    /// Judges a URL before anything is resolved. What it is resolved to is judged at connect time.
    func judge(_ text: String) throws(MediaFailure) -> CurlURL {
        let url: CurlURL
        do throws(MediaFailure) { url = try CurlURL.parse(text) } catch {
            // `data:` and `javascript:` are no URLs to libcurl; the reason that helps is their scheme.
            if let scheme = Self.scheme(of: text), !schemes.contains(scheme) { throw forbiddenScheme }
            throw error
        }
        guard let scheme = url.scheme, schemes.contains(scheme) else { throw forbiddenScheme }
        guard !url.hasCredentials else {
            throw MediaFailure(.invalidURL, "the URL carries a user name or password: take them out")
        }
        guard let host = url.host else { throw MediaFailure(.invalidURL, "the URL has no host") }
        if let refusal = hosts.refusal(of: host) { throw MediaFailure(.forbiddenHost, refusal) }
        return url
    }

    private var forbiddenScheme: MediaFailure {
        MediaFailure(.forbiddenScheme, "only \(schemes.sorted().joined(separator: " and ")) are fetched")
    }

    /// What stands before the first colon, where it can be a scheme (RFC 3986 §3.1).
    private static func scheme(of text: String) -> String? {
        guard let colon = text.firstIndex(of: ":"), text.first?.isLetter == true else { return nil }
        let scheme = text[..<colon].lowercased()
        let isScheme = scheme.utf8.allSatisfy { byte in
            let character = Character(Unicode.Scalar(byte))
            return byte < 0x80 && (character.isLetter || character.isNumber || "+-.".contains(character))
        }
        return isScheme ? scheme : nil
    }
}

/// Bounds of one fetch, all inside the request's budget.
package struct FetchLimits: Sendable, Equatable {
    package var redirects = 5
    /// From the start to the connection, TLS included.
    package var connect: Duration = .seconds(5)
    /// From the request to the first byte of the answer.
    package var firstByte: Duration = .seconds(10)
    /// Without any byte.
    package var idle: Duration = .seconds(10)
    /// Bytes after decoding, by what the first of them say they are; a source of unknown kind has the largest.
    package var pictureBytes = 40_000_000
    package var soundBytes = 20_000_000
    package var videoBytes = 50_000_000
    /// Connections at a time, in all and to one host.
    package var connections = 256
    package var connectionsPerHost = 16

    package init() {}
}
