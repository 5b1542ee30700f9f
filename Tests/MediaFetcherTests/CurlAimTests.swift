import CCurl
import Testing

@testable import MediaFetcher

/// What is asked for is the same, whatever was asked for before.
struct CurlAimTests {
    private static let addresses = [
        "https://cdn.example/a.jpg", "https://cdn.example/b/c.jpg?x=1&y=2", "https://cdn.example/a.jpg",
        "https://cdn.example/?q", "https://cdn.example/A%2fB%2FC.jpg", "https://cdn.example/a.jpg?sig=%2F%2f",
        "https://cdn.example/d.jpg", "https://cdn.example:8443/d.jpg", "https://cdn.example:844/3/d.jpg",
        "http://cdn.example/d.jpg", "http://cdn.example.org/d.jpg", "http://cdn.example/d.jpg?a?b",
        "http://192.0.2.7/x.png", "http://192.0.2.7:81/x.png", "http://[2001:db8::1]/x.png",
        "http://[2001:db8::1]/y.png?z", "http://cdn.example/", "http://cdn.example/a//b/", "http://cdn.example/",
    ]

    @Test func `one after the other each is asked for as it is by itself`() throws {
        let url = try #require(curl_url())
        defer { curl_url_cleanup(url) }
        var aim = CurlAim()
        for address in Self.addresses {
            #expect(aim.take(address, url) == CURLUE_OK)
            #expect(Self.text(of: url) == address)
        }
    }

    @Test func `after one that cannot be read the next is read whole`() throws {
        let url = try #require(curl_url())
        defer { curl_url_cleanup(url) }
        var aim = CurlAim()
        #expect(aim.take("https://cdn.example/a", url) == CURLUE_OK)
        #expect(aim.take("https://cdn.example:99999999/a", url) != CURLUE_OK)
        #expect(aim.take("https://cdn.example/b?c", url) == CURLUE_OK)
        #expect(Self.text(of: url) == "https://cdn.example/b?c")
    }

    private static func text(of url: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, CURLUPART_URL, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
