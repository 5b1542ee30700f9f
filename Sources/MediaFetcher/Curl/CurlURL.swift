import CCurl
import NotificationModel

/// A URL that libcurl has parsed. The policy thus validates a URL with the parser of the library that connects to it.
@safe struct CurlURL: ~Copyable {
    private let handle: OpaquePointer

    private init(adopting handle: OpaquePointer) { unsafe self.handle = unsafe handle }

    /// Parses an absolute URL with a scheme and a host.
    static func parse(_ text: String) throws(MediaFailure) -> CurlURL {
        guard CurlLibrary.isStarted, let handle = unsafe curl_url() else {
            throw MediaFailure(.internal, "out of memory for a URL")
        }
        var url = unsafe CurlURL(adopting: handle)
        try url.follow(text)
        return url
    }

    deinit { unsafe curl_url_cleanup(handle) }

    /// Replaces the URL by the target of a reference, which is absolute or relative to this URL (RFC 3986 §5).
    mutating func follow(_ reference: String) throws(MediaFailure) {
        // libcurl takes C strings, so a NUL would hide the rest of the URL from the validation.
        guard !reference.utf8.contains(0) else { throw MediaFailure(.invalidURL, "the URL contains a NUL character") }
        let code = unsafe curl_url_set(handle, CURLUPART_URL, reference, UInt32(CURLU_NON_SUPPORT_SCHEME))
        guard code == CURLUE_OK else { throw MediaFailure(.invalidURL, Self.problem(code)) }
    }

    /// The scheme, in lower case.
    var scheme: String? { part(CURLUPART_SCHEME)?.lowercased() }
    /// The host, in the ASCII form of DNS.
    var host: String? { part(CURLUPART_HOST, UInt32(CURLU_PUNYCODE)) }
    var hasCredentials: Bool { part(CURLUPART_USER) != nil || part(CURLUPART_PASSWORD) != nil }
    /// The whole URL, as it will be requested.
    var text: String? { part(CURLUPART_URL) }

    private func part(_ what: CURLUPart, _ flags: UInt32 = 0) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(handle, what, &value, flags) == CURLUE_OK, let value = unsafe value else {
            return nil
        }
        defer { unsafe curl_free(value) }
        return unsafe String(cString: value)
    }

    private static func problem(_ code: CURLUcode) -> String {
        if code == CURLUE_BAD_SCHEME || code == CURLUE_MALFORMED_INPUT {
            return "the URL is not absolute: it must begin with https://"
        }
        guard let text = unsafe curl_url_strerror(code) else { return "the URL cannot be read" }
        return "the URL cannot be read: \(unsafe String(cString: text))"
    }
}
