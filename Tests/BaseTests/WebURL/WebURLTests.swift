import Base
import TestSupport
import Testing

@Suite struct WebURLTests {
    @Test(arguments: OddURL.all)
    func `an odd URL has one normal form or one reason for its refusal`(_ odd: OddURL) throws {
        switch odd.reading {
        case .normal(let text):
            let url = try WebURL(odd.written)
            #expect(url.text == text)
            #expect(try WebURL(text) == WebURL(url.text))
        case .foreign: #expect(throws: WebURLError.foreignHost) { try WebURL(odd.written) }
        case .refused(let error): #expect(throws: error) { try WebURL(odd.written) }
        }
    }

    @Test func `the table of odd URLs contains each reason for a refusal`() {
        let reasons = OddURL.all.compactMap { odd in
            if case .refused(let error) = odd.reading { error } else { nil }
        }
        #expect(WebURLError.allCases.filter { !reasons.contains($0) } == [])
    }

    @Test func `a URL is parsed into its parts, and has the default port of its scheme`() throws {
        let url = try WebURL("HTTPS://CDN.example:8443/a/b.jpg?x=1#top")
        #expect((url.scheme, url.port, url.effectivePort) == ("https", 8_443, 8_443))
        #expect(url.host == .name("cdn.example"))
        #expect(url.target == "/a/b.jpg?x=1")
        #expect((url.hostAndPort, url.origin) == ("cdn.example:8443", "https://cdn.example:8443"))
        let plain = try WebURL("http://[::1]")
        #expect((plain.port, plain.effectivePort, plain.target) == (nil, 80, "/"))
        #expect((plain.hostAndPort, plain.shortOrigin, plain.origin) == ("[::1]:80", "http://[::1]", "http://[::1]:80"))
        #expect(plain.host.address == IPAddress("::1"))
    }

    @Test(arguments: [
        ("/", true), ("/a/b-c_d~e.jpg?x=1&y=2", true), ("/a//b", true), ("/.a", false), ("/a/../b", false),
        ("/?", false), ("/%20", false), ("/a+b", false), ("/\u{FC}", false), ("/a:b", false), ("/a;b", false),
    ])
    func `a target is plain if all parsers read the target in one way`(_ target: String, _ isPlain: Bool) throws {
        #expect(try WebURL("http://a.example" + target).isPlain == isPlain)
    }

    @Test(arguments: [
        (" http://a.example/x ", "http://a.example/x"), ("http://a.example/a b", "http://a.example/a%20b"),
        ("   ", ""), ("http://a.example/", "http://a.example/"), ("http://a b/", "http://a%20b/"),
        ("\u{FEFF}http://a.example/\u{200B}\u{A0}", "http://a.example/"),
        ("\t\u{2028}http://a.example/\r\n", "http://a.example/"),
        ("http://a.example/\u{2764}\u{FE0F}", "http://a.example/\u{2764}\u{FE0F}"), ("\u{200B}\u{AD}", ""),
    ])
    func `invisible characters around a URL are removed, and spaces within it are encoded`(
        _ written: String, _ text: String
    ) {
        #expect(WebURL.repaired(written) == text)
    }

    @Test func `only a host with non-ASCII characters is converted to ASCII`() throws {
        var asked: [String] = []
        let ascii = { (name: String) -> String? in
            asked.append(name)
            return "XN--A.example"
        }
        #expect(try WebURL("http://a.example/", toASCII: ascii).host == .name("a.example"))
        #expect(try WebURL("http://\u{E4}.example/", toASCII: ascii).host == .name("xn--a.example"))
        #expect(asked == ["\u{E4}.example"])
        #expect(throws: WebURLError.hostCharacters) { try WebURL("http://\u{E4}/", toASCII: { _ in "a@b" }) }
        #expect(throws: WebURLError.foreignHost) { try WebURL("http://\u{E4}/", toASCII: { $0 }) }
    }
}
