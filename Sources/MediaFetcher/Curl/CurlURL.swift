import Base
import CCurl
import NotificationModel

/// A URL that libcurl has parsed. The policy thus validates a URL with the parser of the library that connects to it.
@safe struct CurlURL: ~Copyable {
    private let handle: OpaquePointer

    /// Parses an absolute URL with a scheme and a host.
    init(_ text: String) throws(MediaFailure) {
        // libcurl takes C strings, so a NUL would hide the rest of the URL from the validation.
        guard !text.utf8.contains(0) else { throw MediaFailure(.invalidURL, "the URL contains a NUL character") }
        guard CurlLibrary.isStarted, let handle = unsafe curl_url() else {
            throw MediaFailure(.internal, "out of memory for a URL")
        }
        let code = unsafe curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME))
        guard code == CURLUE_OK else {
            unsafe curl_url_cleanup(handle)
            throw MediaFailure(.invalidURL, Self.problem(code))
        }
        unsafe self.handle = unsafe handle
    }

    deinit { unsafe curl_url_cleanup(handle) }

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
        let reason = unsafe curl_url_strerror(code).map { unsafe ": " + String(cString: $0) } ?? ""
        return "the URL cannot be read" + reason
    }
}

extension WebURL {
    /// Parses a URL of a payload or an origin. libcurl converts its host to ASCII.
    static func parse(_ text: String) throws(MediaFailure) -> WebURL {
        do throws(WebURLError) { return try WebURL(text, toASCII: CurlURL.asciiName) } catch {
            throw MediaFailure(.invalidURL, error.description)
        }
    }
}

extension WebHost {
    /// Parses a host. libcurl converts it to ASCII.
    static func parse(_ written: String) throws(MediaFailure) -> WebHost {
        do throws(WebURLError) { return try WebHost(written, toASCII: CurlURL.asciiName) } catch {
            throw MediaFailure(.invalidURL, error.description)
        }
    }
}

extension CurlURL {
    /// Returns the ASCII form of a name (IDNA) with which libcurl resolves it; `nil` if libcurl cannot convert it.
    fileprivate static func asciiName(_ name: String) -> String? {
        (try? CurlURL("http://\(name)/"))?.host
    }
}
