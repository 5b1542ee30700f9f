import FoundationEssentials
import Testing

@testable import MediaFetcher

@Suite struct RedirectCookiesTests {
    private static let origin = "https://a.example.com/images/one?x=1"

    private func field(_ lines: [String], for url: String, from origin: String = Self.origin) throws -> String? {
        let policy = FetchPolicy()
        var cookies = RedirectCookies()
        cookies.note(lines, from: try policy.validate(origin))
        return cookies.field(for: try policy.validate(url))
    }

    @Test(arguments: [
        ("https://a.example.com/images/two", "s=1"), ("https://a.example.com/images", "s=1"),
        ("http://a.example.com/images/two", "s=1"), ("https://a.example.com/imagesque", nil),
        ("https://a.example.com/", nil), ("https://b.example.com/images/two", nil),
        ("https://x.a.example.com/images/two", nil),
    ])
    func `a cookie is sent back to its host and its directory`(_ url: String, _ field: String?) throws {
        #expect(try self.field(["s=1"], for: url) == field)
    }

    @Test(arguments: [
        ("s=1; Domain=example.com; Path=/", "https://b.example.com/x", "s=1"),
        ("s=1; Domain=.EXAMPLE.com; Path=/", "https://example.com/", "s=1"),
        ("s=1; Domain=com; Path=/", "https://b.com/", nil),
        ("s=1; Domain=other.example; Path=/", "https://other.example/", nil),
        ("s=1; Domain=other.example; Path=/", "https://a.example.com/", nil),
        ("s=1; Path=/; Secure", "http://a.example.com/", nil),
        ("s=1; Path=/; Secure", "https://a.example.com/", "s=1"),
        ("s=1; Path=/; HttpOnly; SameSite=Strict", "https://a.example.com/", "s=1"),
        ("s = a b ; Path=/", "https://a.example.com/", "s=a b"), ("=1; Path=/", "https://a.example.com/", nil),
        ("s; Path=/", "https://a.example.com/", nil),
        ("s=1; Path=/; Max-Age=0", "https://a.example.com/", nil),
        ("s=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "https://a.example.com/", nil),
    ])
    func `the attributes of a cookie select the URLs that get it`(_ line: String, _ url: String, _ field: String?)
        throws
    {
        #expect(try self.field([line], for: url) == field)
    }

    @Test func `a later cookie replaces an earlier cookie with the same name`() throws {
        let lines = ["s=1; Path=/", "t=2; Path=/", "s=3; Path=/"]
        #expect(try field(lines, for: "https://a.example.com/") == "t=2; s=3")
        #expect(try field(["s=1; Path=/", "s=1; Path=/; Max-Age=0"], for: "https://a.example.com/") == nil)
    }

    @Test func `the number and the length of cookies are limited`() throws {
        let many = (0..<1_000).map { "s\($0)=1; Path=/" }
        #expect(try field(many, for: "https://a.example.com/")?.split(separator: ";").count == 32)
        #expect(try field(["s=" + String(repeating: "x", count: 5_000)], for: Self.origin) == nil)
    }
}
