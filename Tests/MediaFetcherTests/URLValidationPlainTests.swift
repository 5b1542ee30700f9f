import Base
import Glibc
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

/// The tests of the validation of a URL before its host is resolved. They make no connections.
@Suite struct URLValidationPlainTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let url: String
        let reason: DegradationReason
        /// A part of the expected sentence.
        let words: String
        init(_ url: String, _ reason: DegradationReason, _ words: String) {
            (self.url, self.reason, self.words) = (url, reason, words)
        }
        var testDescription: String { "\(url.prefix(80)): \(reason.rawValue)" }
    }

    init() { setlocale(LC_CTYPE, "C.UTF-8") }

    @Test(arguments: [
        Refusal("", .invalidURL, "must begin with https://"), Refusal("photo.jpg", .invalidURL, "not absolute"),
        Refusal("/photo.jpg", .invalidURL, "not absolute"), Refusal("//a.example/x", .invalidURL, "not absolute"),
        Refusal("http:a.example", .invalidURL, "not absolute"),
        Refusal("http:/a.example/", .invalidURL, "not absolute"),
        Refusal("1http://a.example/", .invalidURL, "not absolute"),
        Refusal("://a.example", .invalidURL, "not absolute"),
        Refusal("h\u{301}ttp://a.example/", .invalidURL, "not absolute"),
        Refusal("http:/\u{301}/a.example/", .invalidURL, "not absolute"),
        Refusal("http://", .invalidURL, "no host"), Refusal("http:///a.example/", .invalidURL, "no host"),
        Refusal("http://:80/", .invalidURL, "no host"), Refusal("http://?x", .invalidURL, "no host"),
        Refusal("file:///etc/passwd", .forbiddenScheme, "only http and https"),
        Refusal("FTP://a.example/", .forbiddenScheme, "only http and https"),
        Refusal("data:image/png;base64,AA AA", .forbiddenScheme, "only http and https"),
        Refusal("javascript:alert(1)", .forbiddenScheme, "only http and https"),
        Refusal("http://u@a.example/", .invalidURL, "user name"),
        Refusal("http://:p@a.example/", .invalidURL, "user name"),
        Refusal("http://@a.example/", .invalidURL, "user name"),
        Refusal("http://a.example#@127.0.0.1/", .invalidURL, "write a /"),
        Refusal("http://a.example?@127.0.0.1/", .invalidURL, "write a /"),
        Refusal("http://a.example/\u{0}x", .invalidURL, "NUL"),
        Refusal("http://a b.example/", .invalidURL, "percent"), Refusal("http://a .example/", .invalidURL, "percent"),
        Refusal("http://a.example/\tx", .invalidURL, "control"),
        Refusal("http://a.example/\r\nHost: b", .invalidURL, "control"),
        Refusal("http://a.example/\u{7F}x", .invalidURL, "control"),
        Refusal("http://a.example\\@127.0.0.1/", .invalidURL, "backslash"),
        Refusal("http:\\\\127.0.0.1\\", .invalidURL, "backslash"),
        Refusal("http://a.example/" + String(repeating: "a", count: 8_192), .invalidURL, "longer than 8192"),
        Refusal("http://a.example:0/", .invalidURL, "port"), Refusal("http://a.example:65536/", .invalidURL, "port"),
        Refusal("http://a.example:+80/", .invalidURL, "port"), Refusal("http://a.example:-1/", .invalidURL, "port"),
        Refusal("http://a.example:8a/", .invalidURL, "port"), Refusal("http://a.example:80:80/", .invalidURL, "port"),
        Refusal("http://a.example:99999999999999999999999/", .invalidURL, "port"),
        Refusal("http://a.example:\u{FF18}\u{FF10}/", .invalidURL, "port"),
        Refusal("http://[::1]80/", .invalidURL, "brackets"), Refusal("http://[::1/", .invalidURL, "brackets"),
        Refusal("http://::1/", .invalidURL, "no host"), Refusal("http://a.example%2f/", .invalidURL, "percent"),
        Refusal("http://a.example:8080/", .forbiddenAddress, "port 8080 is not 80 or 443; --allow-address"),
        Refusal("https://1.1.1.1:22/", .forbiddenAddress, "port 22 is not 80 or 443; --allow-address"),
        Refusal("http://127.0.0.1/", .forbiddenAddress, "the address is not public; --allow-address"),
        Refusal("http://017700000001./", .forbiddenAddress, "the address is not public"),
        Refusal("http://[::ffff:8.8.8.8]/", .forbiddenAddress, "the address is not public"),
        Refusal("http://93.184.216.34/", .forbiddenAddress, "the address is an address of this host"),
        Refusal("http://localhost/", .forbiddenHost, "RFC 6761"),
        Refusal("http://a.LOCALHOST./", .forbiddenHost, "RFC 6761"),
        Refusal("http://loc\u{AD}alhost/", .forbiddenHost, "RFC 6761"),
        Refusal("http://db/", .forbiddenHost, "without a dot"), Refusal("http://ai./", .forbiddenHost, "without a dot"),
        Refusal("http://printer.local/", .forbiddenHost, "RFC 6762"),
        Refusal("http://metadata.google.internal/", .forbiddenHost, "ICANN"),
        Refusal("http://nas.home.arpa/", .forbiddenHost, "RFC 8375"),
        Refusal("http://nas.lan/", .forbiddenHost, "appendix G"),
        Refusal("http://x.corp/", .forbiddenHost, "appendix G"),
        Refusal("http://x.localdomain/", .forbiddenHost, "hosts files"),
        Refusal("http://a.onion/", .forbiddenHost, "RFC 7686"),
        Refusal("http://a.invalid/", .forbiddenHost, "RFC 6761"),
        Refusal("http://a.alt/", .forbiddenHost, "RFC 9476"),
        Refusal("http://denied.example/", .forbiddenHost, "the host is in fetch.denyHosts"),
        Refusal("http://[2606:4700:0::1111]/", .forbiddenHost, "the host is in fetch.denyHosts"),
    ])
    func `the error about a refused URL has the expected reason and sentence`(_ refusal: Refusal) {
        var policy = FetchPolicy()
        policy.hosts = HostAllowlist(denied: ["Denied.example", "2606:4700::1111"])
        policy.addresses = AddressPolicy(own: .known(Set([IPAddress("93.184.216.34")].compactMap { $0 })))
        let failure = #expect(throws: MediaFailure.self) { try policy.validate(refusal.url) }
        #expect(failure?.reason == refusal.reason)
        #expect(failure?.detail.contains(refusal.words) == true, "\(failure?.detail ?? "")")
    }

    @Test(arguments: [
        ("http://a.example", "http://a.example/"), ("HTTP://A.Example./", "http://a.example/"),
        ("https://a.example:443/x?y#z", "https://a.example/x?y"), ("http://a.example:/x", "http://a.example/x"),
        ("http://a.example:00080/x", "http://a.example/x"), ("https://a.example:80/", "https://a.example:80/"),
        ("http://a.example?x=1", "http://a.example/?x=1"), ("http://a.example#top", "http://a.example/"),
        ("http://a.example/u@b?c@d", "http://a.example/u@b?c@d"), ("http://a.example/?#@b", "http://a.example/"),
        ("http://a.example/a/../b/./c", "http://a.example/b/c"),
        ("http://a.example/%0d%0aX:", "http://a.example/%0d%0aX:"),
        ("http://a.example/%2e%2E/%5c%20", "http://a.example/%2e%2E/%5c%20"),
        ("http://a.example/b\u{fc}\u{1F600}?\u{fc}", "http://a.example/b%C3%BC%F0%9F%98%80?%C3%BC"),
        ("http://a.example/\u{301}", "http://a.example/%CC%81"),
        ("http://b\u{fc}cher.example/", "http://xn--bcher-kva.example/"),
        ("http://134744072/", "http://8.8.8.8/"), ("http://010.8.8.8:80/", "http://8.8.8.8/"),
        ("http://[2606:4700:0:0::1111]:443/", "http://[2606:4700::1111]:443/"),
        ("http://a.example/{x}|[y]'\"<z>", "http://a.example/{x}|[y]'\"<z>"),
    ])
    func `different spellings of a URL have one validated form, and a second validation does not change this form`(
        _ written: String, _ requested: String
    ) throws {
        var policy = FetchPolicy()
        policy.addresses = AddressPolicy(own: .known([]))
        let judged = try policy.validate(written)
        #expect(judged.text == requested)
        let again = try policy.validate(judged.text)
        #expect(again == judged)
        let read = try CurlURL(judged.text)
        #expect(read.text == judged.text)
    }

    @Test func `a validated URL has the host, the port and the address of the connection`() throws {
        var policy = FetchPolicy()
        policy.addresses = AddressPolicy(
            allowed: ["::/0", "127.0.0.0/8"].compactMap(AddressRange.init), own: .known([]))
        let name = try policy.validate("https://A.example./x")
        #expect((name.host, name.port, name.isSecure, name.address) == ("a.example", 443, true, nil))
        let literal = try policy.validate("http://0x7f.1:8080")
        #expect((literal.host, literal.port, literal.isSecure) == ("127.0.0.1", 8_080, false))
        #expect(literal.address == IPAddress("127.0.0.1"))
        let mapped = try policy.validate("http://[::ffff:7f00:1]:1/")
        #expect((mapped.host, mapped.text) == ("::ffff:127.0.0.1", "http://[::ffff:127.0.0.1]:1/"))
    }

    @Test(arguments: ["localhost", "a.localhost", "db", "nas.lan", "printer.local", "x.home.arpa"])
    func `an internal name is accepted only if all of its addresses are in allowed ranges`(_ host: String) throws {
        var policy = FetchPolicy()
        let loopback = try #require(IPAddress("127.0.0.1"))
        let elsewhere = try #require(IPAddress("1.1.1.1"))
        policy.addresses = AddressPolicy(allowed: [try #require(AddressRange("127.0.0.0/8"))], own: .known([]))
        let judged = try policy.validate("http://\(host):8080/")
        try policy.validate([loopback], for: judged)
        let standard = try policy.validate("http://\(host)/")
        let failure = #expect(throws: MediaFailure.self) { try policy.validate([loopback, elsewhere], for: standard) }
        #expect(failure?.reason == .forbiddenHost)
        // If the operator lists the name, the policy accepts the name like any other host.
        policy.hosts = HostAllowlist(allowed: [host])
        let named = try policy.validate("http://\(host)/")
        try policy.validate([elsewhere], for: named)
        policy.addresses.allowed = []
        let refused = #expect(throws: MediaFailure.self) { try policy.validate([loopback], for: named) }
        #expect(refused?.reason == .forbiddenAddress)
    }

    @Test(arguments: ["a.onion", "a.invalid"])
    func `a name outside of DNS is never resolved`(_ host: String) throws {
        var policy = FetchPolicy()
        policy.hosts = HostAllowlist(allowed: [host])
        policy.addresses = AddressPolicy(allowed: [try #require(AddressRange("127.0.0.0/8"))])
        let failure = #expect(throws: MediaFailure.self) { try policy.validate("http://\(host)/") }
        #expect(failure?.reason == .forbiddenHost)
    }

    @Test func `only URLs with a scheme of the policy are fetched`() throws {
        var policy = FetchPolicy()
        policy.schemes = ["https"]
        let failure = #expect(throws: MediaFailure.self) { try policy.validate("http://a.example/") }
        #expect(failure == MediaFailure(.forbiddenScheme, "only https are fetched"))
    }

    @Test func `libcurl parses a plain URL without a change`() throws {
        var generator = SeededGenerator.random()
        let letters = Array("abzAZ019/.-_~?=&")
        var plain = 0
        for _ in 0..<20_000 {
            let target = String(
                (0..<Int.random(in: 0...24)).map { _ in letters.randomElement(using: &generator) ?? "/" })
            let url = try WebURL.parse("https://Media-1.example.com:444/" + target)
            guard url.isPlain else { continue }
            plain += 1
            let read = try CurlURL("https://media-1.example.com:444" + url.target)
            let (text, host, hasCredentials) = (read.text, read.host, read.hasCredentials)
            #expect(text == "https://media-1.example.com:444" + url.target)
            #expect(host == url.host.text)
            #expect(!hasCredentials)
        }
        #expect(plain > 1_000)
    }
}
