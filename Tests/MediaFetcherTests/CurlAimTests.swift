import CCurl
import TestSupport
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

    @Test func `whatever plain targets follow each other, they are read as by themselves`() throws {
        let (kept, fresh) = (try #require(curl_url()), try #require(curl_url()))
        defer {
            curl_url_cleanup(kept)
            curl_url_cleanup(fresh)
        }
        var aim = CurlAim()
        var random = SeededGenerator(seed: 5)
        let alphabet = Array("abz09AZ-._~/?=&;,:@!$'()*+")
        for _ in 0..<5_000 {
            let target = (0..<Int.random(in: 0...12, using: &random)).map { _ in alphabet.randomElement(using: &random)
            }
            let address = "http://192.0.2.\(Int.random(in: 1...2, using: &random))/" + String(target.compactMap(\.self))
            // Those with dots to be taken out are not judged to be fetched.
            guard !address.contains("/.") else { continue }
            #expect(curl_url_set(fresh, CURLUPART_URL, address, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK)
            #expect(aim.take(address, kept) == CURLUE_OK)
            for part in [CURLUPART_URL, CURLUPART_HOST, CURLUPART_PATH, CURLUPART_QUERY] {
                #expect(Self.text(of: kept, part) == Self.text(of: fresh, part), "\(address)")
            }
        }
    }

    private static func text(of url: OpaquePointer, _ part: CURLUPart = CURLUPART_URL) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
