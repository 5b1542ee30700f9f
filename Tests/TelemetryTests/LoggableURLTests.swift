import Telemetry
import Testing

/// What a log says of a URL holds no secret, whatever the URL is.
@Suite struct LoggableURLTests {
    @Test(arguments: [
        ("https://cdn.example.com/a/b.jpg", "https://cdn.example.com/a/b.jpg"),
        ("HTTPS://cdn.example.com", "https://cdn.example.com"),
        ("https://cdn.example.com:8443/a", "https://cdn.example.com:8443/a"),
        ("http://[2001:db8::1]:80/a", "http://[2001:db8::1]:80/a"),
        ("https://cdn.example.com/@user/a.png", "https://cdn.example.com/@user/a.png"),
        ("https://bücher.example/ä", "https://b%C3%BCcher.example/%C3%A4"),
        ("  https://cdn.example.com/a", "https://cdn.example.com/a"),
        ("http://127.1/", "http://127.1/"),
    ])
    func `scheme, host and path stay`(_ url: String, _ shown: String) { #expect(LoggableURL.text(of: url) == shown) }

    @Test(arguments: [
        "https://h/p?token=SECRET", "https://h/p#SECRET", "https://h?SECRET", "https://h#SECRET", "https://h/p?#SECRET",
        "https://SECRET@h/p", "https://user:SECRET@h/p", "https://user:a@SECRET@h/p", "https://user:SECRET%40x@h/p",
        "https://user:/SECRET@h/p", "https://user:12/SECRET@h/p", "https://user:12?x=SECRET@h/p",
        "https://user:?SECRET@h/p", "https://user:SECR/SECRET@h/p",
        "https://user:#SECRET@h/p", "https://user:x\\SECRET@h/p", "https://h\\SECRET:x@h2/p", "https://@SECRET@h",
        "https://[SECRET/p", "https://[::1]SECRET/p", "https://[SECRET]/p", "https://a:b:SECRET/p", "https://:SECRET/p",
        "https:///SECRET", "https://", "https:SECRET@h", "https:/SECRET@h/p", "//SECRET@h/p", "/SECRET", "SECRET", "",
        "data:image/png;base64,SECRET", "javascript:SECRET", "mailto:SECRET@h", "https://h/p;jsessionid=SECRET",
        "ht\ntps://SECRET@h/", "1https://SECRET@h", "https\u{0}://SECRET@h/", "SECRET://h@h/",
    ])
    func `secrets are not shown`(_ url: String) {
        let shown = LoggableURL.text(of: url)
        // A scheme is public by its nature.
        #expect(!shown.contains("SECRET"), "\(shown)")
    }

    @Test(arguments: [
        "https://h/a\nb", "https://h/\u{1B}[31m", "https://h/\u{202E}gpj", "https://h/a b\"<>", "https://h\u{0}/x",
        "https://h/\u{85}\u{9B}", "\u{7}https://h/\u{7F}", "https://h\r\n/x",
    ])
    func `what is shown is printable ASCII`(_ url: String) {
        let shown = LoggableURL.text(of: url)
        #expect(shown.hasPrefix("https://h"))
        #expect(shown.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(shown)")
    }

    @Test func `a long URL is cut`() {
        let shown = LoggableURL.text(of: "https://h/" + String(repeating: "a", count: 100_000))
        #expect(shown.utf8.count == LoggableURL.mostCharacters)
        #expect(shown.hasSuffix("..."))
    }
}
