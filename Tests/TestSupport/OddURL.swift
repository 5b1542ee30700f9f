package import Base

/// An odd or hostile URL, and how the strict parser reads it. The tests of the parser and of its agreement with libcurl
/// share the table.
package struct OddURL: Sendable, CustomStringConvertible {
    package enum Reading: Sendable, Equatable {
        case refused(WebURLError)
        /// The URL is read, and has this normal form.
        case normal(String)
        /// The URL is read only if its host can be converted to ASCII (IDNA), and then has this normal form.
        case foreign(String)
    }

    package let written: String
    package let reading: Reading

    private init(_ written: String, _ reading: Reading) { (self.written, self.reading) = (written, reading) }
    private init(_ written: String, _ normal: String) { self.init(written, .normal(normal)) }

    package var description: String { "\(written.debugDescription.prefix(80)) is \(reading)" }

    package static let all =
        userInformation + fragments + addresses + encodedHosts + ports + characters + hosts + foreignHosts + forms
        + targets

    private static let userInformation = [
        OddURL("http://u@a.example/", .refused(.userInformation)),
        OddURL("http://u:p@a.example/", .refused(.userInformation)),
        OddURL("http://@a.example/", .refused(.userInformation)),
        OddURL("http://:@a.example/", .refused(.userInformation)),
        OddURL("http://b@c@a.example/", .refused(.userInformation)),
        OddURL("http://a.example:80@127.0.0.1/", .refused(.userInformation)),
        OddURL("http://[::1]@a.example/", .refused(.userInformation)),
        OddURL("http://a.example?@127.0.0.1/", .refused(.possibleUserInformation)),
        OddURL("http://a.example#@127.0.0.1/", .refused(.possibleUserInformation)),
        OddURL("http://a.example/@127.0.0.1/", "http://a.example/@127.0.0.1/"),
        OddURL("http://a.example%40127.0.0.1/", .refused(.percentEncodedHost)),
    ]

    private static let fragments = [
        OddURL("http://a.example#top", "http://a.example/"), OddURL("http://a.example/x#a#b", "http://a.example/x"),
        OddURL("http://a.example/#@b", "http://a.example/"), OddURL("http://a.example/x?y#?z", "http://a.example/x?y"),
        OddURL("http://#a.example/", .refused(.noHost)),
    ]

    private static let addresses = [
        OddURL("http://[::1]/", "http://[::1]/"), OddURL("http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"),
        OddURL("http://[::FFFF:7F00:1]:8080/", "http://[::ffff:127.0.0.1]:8080/"),
        OddURL("http://[2606:4700:0::1111]/", "http://[2606:4700::1111]/"),
        OddURL("http://[fe80::1%25eth0]/", .refused(.addressZone)),
        OddURL("http://[fe80::1%eth0]/", .refused(.addressZone)), OddURL("http://[::1/", .refused(.bracketedHost)),
        OddURL("http://[::1]80/", .refused(.bracketedHost)), OddURL("http://[]/", .refused(.bracketedHost)),
        OddURL("http://[127.0.0.1]/", .refused(.bracketedHost)), OddURL("http://[v1.x]/", .refused(.bracketedHost)),
        OddURL("http://[::ffff:127.1]/", .refused(.bracketedHost)), OddURL("http://::1/", .refused(.noHost)),
        OddURL("http://127.1/", "http://127.0.0.1/"), OddURL("http://0x7f.1/", "http://127.0.0.1/"),
        OddURL("http://017700000001/", "http://127.0.0.1/"), OddURL("http://2130706433/", "http://127.0.0.1/"),
        OddURL("http://127.0.0.1./", "http://127.0.0.1/"), OddURL("http://256.0.0.1/", .refused(.numericHost)),
        OddURL("http://1.2.3.4.5/", .refused(.numericHost)), OddURL("http://a.example.1/", .refused(.numericHost)),
        OddURL("http://127.0.0.08/", .refused(.numericHost)), OddURL("http://4294967296/", .refused(.numericHost)),
    ]

    private static let encodedHosts = [
        OddURL("http://%61.example/", .refused(.percentEncodedHost)),
        OddURL("http://127%2e0.0.1/", .refused(.percentEncodedHost)),
        OddURL("http://a.example%00.b/", .refused(.percentEncodedHost)),
        OddURL("http://a.example%2f/", .refused(.percentEncodedHost)),
    ]

    private static let ports = [
        OddURL("http://a.example:0/", .refused(.port)), OddURL("http://a.example:65536/", .refused(.port)),
        OddURL("http://a.example:99999999999999999999/", .refused(.port)),
        OddURL("http://a.example:+80/", .refused(.port)), OddURL("http://a.example:-1/", .refused(.port)),
        OddURL("http://a.example:8a/", .refused(.port)), OddURL("http://a.example:80:80/", .refused(.port)),
        OddURL("http://a.example:0x50/", .refused(.port)),
        OddURL("http://a.example:\u{FF18}\u{FF10}/", .refused(.port)),
        OddURL("http://a.example:65535/", "http://a.example:65535/"),
        OddURL("http://a.example:00080/", "http://a.example/"), OddURL("http://a.example:/x", "http://a.example/x"),
        OddURL("https://a.example:443/", "https://a.example/"),
        OddURL("https://a.example:80/", "https://a.example:80/"), OddURL("http://:80/", .refused(.noHost)),
        OddURL("http://[::1]:/", "http://[::1]/"), OddURL("http://[::1]:0/", .refused(.port)),
    ]

    private static let characters = [
        OddURL("http://a.example\\@127.0.0.1/", .refused(.backslash)),
        OddURL("http:\\\\a.example\\", .refused(.backslash)),
        OddURL("http:\\/\\/a.example\\/b", .refused(.escapedSlash)),
        OddURL("http://a.example/\tx", .refused(.controlCharacter)),
        OddURL("ht\ntp://a.example/", .refused(.controlCharacter)),
        OddURL("http://a.example/\r\nHost: b", .refused(.controlCharacter)),
        OddURL("http://a\t.example/", .refused(.controlCharacter)),
        OddURL("http://a.example/\u{7F}", .refused(.controlCharacter)),
        OddURL("http://a.example/\u{0}x", .refused(.nul)), OddURL(" http://a.example/", .refused(.space)),
        OddURL("http://a b.example/", .refused(.space)),
        OddURL("http://a.example/" + String(repeating: "a", count: 8_192), .refused(.tooLong)),
    ]

    private static let hosts = [
        OddURL("http://", .refused(.noHost)), OddURL("http:///x", .refused(.noHost)),
        OddURL("http://?x", .refused(.noHost)), OddURL("http://A.Example/", "http://a.example/"),
        OddURL("http://a.example./", "http://a.example/"), OddURL("http://a.example../", .refused(.hostLabels)),
        OddURL("http://./", .refused(.hostLabels)), OddURL("http://.a.example/", .refused(.hostLabels)),
        OddURL("http://a..example/", .refused(.hostLabels)), OddURL("http://a_b.example/", "http://a_b.example/"),
        OddURL("http://a,b.example/", .refused(.hostCharacters)),
        OddURL("http://a*b.example/", .refused(.hostCharacters)),
        OddURL("http://" + String(repeating: "a", count: 64) + ".example/", .refused(.hostLabels)),
        OddURL("http://" + String(repeating: "a.", count: 128) + "/", .refused(.hostLabels)),
    ]

    private static let foreignHosts = [
        OddURL("http://b\u{FC}cher.example/", .foreign("http://xn--bcher-kva.example/")),
        OddURL("http://example\u{FF0E}com/", .foreign("http://example.com/")),
        OddURL("http://127\u{3002}0\u{3002}0\u{3002}1/", .foreign("http://127.0.0.1/")),
        OddURL("http://loc\u{AD}alhost/", .foreign("http://localhost/")),
        OddURL("http://a\u{FF0F}b.example/", .refused(.foreignHost)),
        OddURL("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
    ]

    private static let forms = [
        OddURL("", .refused(.notAbsolute)), OddURL("photo.jpg", .refused(.notAbsolute)),
        OddURL("//a.example/x", .refused(.notAbsolute)), OddURL("http:a.example", .refused(.notAbsolute)),
        OddURL("http:/a.example/", .refused(.notAbsolute)), OddURL("://a.example", .refused(.notAbsolute)),
        OddURL("1http://a.example/", .refused(.notAbsolute)),
        OddURL("h\u{301}ttp://a.example/", .refused(.notAbsolute)),
        OddURL("http:/\u{301}/a.example/", .refused(.notAbsolute)), OddURL("HTTP://a.example/", "http://a.example/"),
        OddURL("HtTpS://a.example/", "https://a.example/"),
    ]

    private static let targets = [
        OddURL("http://a.example?x=1", "http://a.example/?x=1"), OddURL("http://a.example", "http://a.example/"),
        OddURL("http://a.example/\u{FC}?\u{FC}", "http://a.example/%C3%BC?%C3%BC"),
        OddURL("http://a.example/\u{301}", "http://a.example/%CC%81"),
        OddURL("http://a.example/%2e%2E/%5c%20", "http://a.example/%2e%2E/%5c%20"),
        OddURL("http://a.example/%zz%", "http://a.example/%zz%"),
    ]
}
