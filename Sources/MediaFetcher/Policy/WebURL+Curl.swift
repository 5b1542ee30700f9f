import NotificationModel
import WebURL

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
        do throws(MediaFailure) { return try parse("http://\(name)/").host } catch { return nil }
    }
}
