import MediaFetcher
import NotificationModel
import Testing

@Suite struct PurgeTargetTests {
    @Test(arguments: [
        ("https://a.example/i?", "https://a.example/i?"), ("https://a.example/a/..", "https://a.example/a/.."),
        ("https://a.example/a/.", "https://a.example/a/."), ("https://a.example/a ", "https://a.example/a%20"),
        ("HTTPS://A.Example:443/\u{FC}/b?c=", "https://a.example/%C3%BC/b?c="),
        ("https://a.example/a/../b", "https://a.example/b"), ("http://127.1:81/", "http://127.0.0.1:81/"),
    ])
    func `a prefix in canonical form selects no URL that does not begin with the prefix`(
        _ prefix: String, _ canonical: String
    ) throws {
        #expect(try PurgeTarget.prefix(prefix).canonical() == .prefix(canonical))
    }

    @Test(arguments: [
        ("https://a.example/i#", "the prefix has a #"), ("https://a.example/i#b", "the prefix has a #"),
        ("https://a.example", "no slash after its host"), ("https://a.example?x", "no slash after its host"),
        ("https:///a", "no slash after its host"),
    ])
    func `a prefix with a fragment or without a path is refused`(_ prefix: String, _ says: String) {
        let failure = #expect(throws: MediaFailure.self) { try PurgeTarget.prefix(prefix).canonical() }
        #expect(failure?.reason == .invalidURL)
        #expect(failure?.detail.contains(says) == true)
    }

    @Test(arguments: [
        ("A.Example.", "a.example"), ("127.1", "127.0.0.1"), ("::1", "::1"), ("[0::1]", "::1"), ("1::", "1::"),
    ])
    func `a host is converted to the form in which it is requested`(_ host: String, _ canonical: String) throws {
        #expect(try PurgeTarget.host(host).canonical() == .host(canonical))
    }

    @Test(arguments: [
        ("cdn.example:80", "write cdn.example"), ("cdn.example:99999", "write cdn.example"),
        ("cdn.example:+80", "write cdn.example"), ("cdn.example:", "write cdn.example"), ("[::1]:443", "write [::1]"),
        ("[::1", "not an IPv6 address"), ("a:b:c", "not an IPv6 address"), ("a b", "characters that no host name has"),
    ])
    func `a malformed host or a host with a port is refused`(_ host: String, _ says: String) {
        let failure = #expect(throws: MediaFailure.self) { try PurgeTarget.host(host).canonical() }
        #expect(failure?.detail.contains(says) == true, "\(failure?.detail ?? "")")
    }
}
