import Base
import Testing

@Suite struct URIReferenceTests {
    @Test(
        arguments: [
            ("https://u@a.example:1/b/c?d?e#f#g", "https", "u@a.example:1", "/b/c", "d?e", "f#g"),
            ("mailto:a@b.example", "mailto", nil, "a@b.example", nil, nil),
            ("//a.example", nil, "a.example", "", nil, nil),
            ("a/b:c?#", nil, nil, "a/b:c", "", ""), ("1a:b", nil, nil, "1a:b", nil, nil),
            (":", nil, nil, ":", nil, nil),
            ("A+b-.1:", "a+b-.1", nil, "", nil, nil), ("", nil, nil, "", nil, nil), ("x:///y", "x", "", "/y", nil, nil),
            ("http:/\u{301}/a", "http", nil, "/\u{301}/a", nil, nil),
        ] as [(String, String?, String?, String, String?, String?)])
    func `a reference is split into its parts`(
        _ text: String, _ scheme: String?, _ authority: String?, _ path: String, _ query: String?, _ fragment: String?
    ) {
        let reference = URIReference(text)
        #expect(reference.scheme == scheme)
        #expect(reference.authority.map(String.init) == authority)
        #expect(String(reference.path) == path)
        #expect(reference.query.map(String.init) == query)
        #expect(reference.fragment.map(String.init) == fragment)
    }

    /// The examples are those of RFC 3986 §5.4, without the dot segments of some results.
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g"),
        ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
        ("", "http://a/b/c/d;p?q"),
        ("g#s", "http://a/b/c/g#s"), (";x", "http://a/b/c/;x"), ("./g", "http://a/b/c/./g"),
        ("../g", "http://a/b/c/../g"), ("g;x=1/../y", "http://a/b/c/g;x=1/../y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
    ])
    func `a reference is resolved against its base`(_ reference: String, _ target: String) {
        #expect(URIReference("http://a/b/c/d;p?q").resolving(reference) == target)
    }

    @Test func `a reference is resolved against a base without a path`() {
        #expect(URIReference("http://a").resolving("g") == "http://a/g")
        #expect(URIReference("http://a?q").resolving("?y") == "http://a?y")
    }

    @Test(arguments: [
        ("http://a/b/c/../g", "http://a/b/g"), ("http://a/b/c/./g", "http://a/b/c/g"),
        ("http://a/../../g", "http://a/g"),
        ("http://a/b/c/.", "http://a/b/c/"), ("http://a/b/c/..", "http://a/b/"), ("http://a/b//c", "http://a/b//c"),
        ("http://a/g?y/../x#f", "http://a/g?y/../x"), ("http://a/.g/..h/", "http://a/.g/..h/"),
        ("http://a", "http://a"),
    ])
    func `the dot segments of a path are removed`(_ text: String, _ cleaned: String) {
        #expect(URIReference(text).removingDotSegments() == cleaned)
    }

    @Test(
        arguments: [
            ("a.example:80", "a.example", "80"), ("a.example", "a.example", nil), ("a.example:", "a.example", ""),
            ("[::1]:80", "[::1]", "80"), ("[::1]", "[::1]", nil), ("[::1", "[::1", nil), ("[::1]x:80", "[::1]x", "80"),
            ("::1", "", ":1"), (":80", "", "80"), ("", "", nil), ("u@a:1", "u@a", "1"), ("a:80:80", "a", "80:80"),
        ] as [(String, String, String?)])
    func `a host and a port are split at the first colon outside of brackets`(
        _ text: String, _ host: String, _ port: String?
    ) {
        let place = HostAndPort(text)
        #expect(String(place.host) == host)
        #expect(place.port.map(String.init) == port)
    }

    @Test(
        arguments: [
            ("80", 80), ("0", 0), ("00080", 80), ("65535", 65_535), ("65536", nil), ("", nil), ("+1", nil), ("-0", nil),
            ("8 ", nil), ("\u{FF18}", nil),
        ] as [(String, UInt16?)])
    func `a port is read only from digits`(_ digits: String, _ number: UInt16?) {
        #expect(HostAndPort("a:" + digits).portNumber == number)
    }

    @Test func `an IPv6 address is written in brackets`() {
        #expect(HostAndPort.text("::1", 80) == "[::1]:80")
        #expect(HostAndPort.text("a.example", 80) == "a.example:80")
        #expect(HostAndPort.unbracketed("[::1]") == "::1")
        #expect(["[::1", "::1]", "[", "a"].map { HostAndPort.unbracketed($0) } == ["[::1", "::1]", "[", "a"])
        #expect(IPAddress(bracketed: "[::1]") == IPAddress("::1"))
        #expect(["::1", "[::1", "[127.0.0.1]", "[", "[]"].allSatisfy { IPAddress(bracketed: $0) == nil })
    }
}
