import HTTPTypes
import Testing

@testable import HTTPCaching

/// The tests of RFC 9111 §4.4.
struct InvalidationTests {
    @Test(
        arguments: [
            ("POST", 200, true), ("PUT", 201, true), ("DELETE", 204, true), ("PATCH", 303, true),
            ("M-SEARCH", 200, true),
            ("POST", 400, false), ("POST", 500, false), ("GET", 200, false), ("HEAD", 200, false),
            ("OPTIONS", 200, false),
            ("TRACE", 200, false),
        ])
    func `a successful unsafe method invalidates the requested URL`(method: String, status: Int, does: Bool) throws {
        let request = OriginRequest(try #require(HTTPRequest.Method(method)), CacheBench.url)
        #expect(Invalidation.urls(request, ResponseHead(status: status)) == (does ? [CacheBench.url] : []))
    }

    @Test(
        arguments: [
            ("b.jpg", ["http://origin.test/a/b.jpg"]), ("/b.jpg", ["http://origin.test/b.jpg"]),
            ("http://origin.test/x#top", ["http://origin.test/x"]),
            ("http://origin.test:80/x", ["http://origin.test:80/x"]),
            ("//origin.test/x", ["http://origin.test/x"]), ("", []), ("picture.jpg", []), ("http://other.test/x", []),
            ("https://origin.test/x", []), ("http://origin.test:8080/x", []), ("http://[", []),
        ])
    func `a successful request with an unsafe method invalidates the same-origin URLs in its response`(
        reference: String, urls: [String]
    ) {
        let request = OriginRequest(.post, CacheBench.url)
        for name in ["Location", "Content-Location"] {
            let head = ResponseHead(status: 201, fields: CacheBench.fields([(name, reference)]))
            #expect(Invalidation.urls(request, head) == [CacheBench.url] + urls)
        }
    }
}
