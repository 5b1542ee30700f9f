import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

/// The tests that the fast parser and the strict parser agree about every URL that the fast one accepts.
@Suite struct CanonicalURLPlainTests {
    @Test func `the fast parser reads random URLs like the strict parser`() throws {
        var generator = SeededGenerator(seed: 7)
        let pieces = [
            "http", "https", "HTTP", "ftp", "://", ":/", "//", "a.example", "127.0.0.1", "8.8.8.8", "256.1.1.1",
            "1.2.3",
            "01.2.3.4", "0.0.0.0", "0x7f.1", "1e3", "a-b_c.example", "A.example", "a..b", ".", "-", "_", "localhost",
            ":", "80", "443", "8080", "0", "00080", "65535", "65536", "/", "x", "X9", "?", "=", "&", "~", "/.", "..",
            "#",
            "%41", "@", " ", "é", "[::1]",
        ]
        var plain = 0
        for _ in 0..<200_000 {
            // Half of the texts have the shape of a URL, with random parts.
            func piece() -> String { pieces.randomElement(using: &generator) ?? "" }
            let parts =
                Bool.random(using: &generator)
                ? (0..<Int.random(in: 1...8, using: &generator)).map { _ in piece() }
                : [
                    ["http", "https"].randomElement(using: &generator) ?? "", "://", piece(), piece(), "/", piece(),
                    piece(),
                ]
            let text = parts.joined()
            guard let quick = CanonicalURL(text) else { continue }
            plain += 1
            let strict = try ValidatedURL(try StrictURL(text), isInside: false)
            let judged = ValidatedURL(quick, quick.host, isInside: false)
            #expect(judged == strict, "\(text)")
            #expect((judged.scheme, judged.host, judged.port) == (strict.scheme, strict.host, strict.port), "\(text)")
            #expect(judged.hostAndPort == strict.hostAndPort && judged.origin == strict.origin, "\(text)")
            #expect(judged.address == strict.address, "\(text)")
        }
        #expect(plain > 5_000)
    }

    @Test(arguments: [
        "http://a.example", "http://a.example:80/", "https://a.example:443/", "http://a.example:0443/",
        "http://a.example:/", "http://a.example./", "http://A.example/", "HTTP://a.example/", "http://127.1/",
        "http://127.0.0.01/", "http://127.0.0.1.5/", "http://2130706433/", "http://[::1]/", "http://a@b.example/",
        "http://a.example/#", "http://a.example/.x", "http://a.example/?", "http://a.example/%20",
        "http://a.example:99999/", "http://a.example:123456/", "http:///", "http://a..b/", "http://.a/", "", "http",
        "http://a.example/" + String(repeating: "a", count: 8_192),
        "http://" + String(repeating: "a", count: 64) + ".example/",
        "http://" + String(repeating: "a.", count: 127) + "/",
    ])
    func `a URL that is not in canonical form is refused by the fast parser`(_ text: String) {
        #expect(CanonicalURL(text) == nil)
    }

    @Test(arguments: [
        "http://a.example/", "https://cdn.example:8443/a/b.jpg?x=1&y=2", "http://127.0.0.1:8080/~a_b-c.d",
        "https://a_b.s3.example/X",
    ])
    func `a canonical URL is accepted by the fast parser`(_ text: String) { #expect(CanonicalURL(text) != nil) }
}
