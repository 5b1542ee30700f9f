import Base
import Glibc
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

/// The tests that the strict parser and the parser of libcurl, which connects, read a URL in the same way.
@Suite struct URLAgreementTests {
    init() { setlocale(LC_CTYPE, "C.UTF-8") }

    /// A policy that permits all hosts and addresses.
    private let policy: FetchPolicy = {
        var policy = FetchPolicy()
        policy.addresses = AddressPolicy(allowed: ["0.0.0.0/0", "::/0"].compactMap { AddressRange($0) })
        return policy
    }()

    @Test(arguments: OddURL.all)
    func `libcurl parses an odd URL like the strict parser`(_ odd: OddURL) throws {
        switch odd.reading {
        case .refused(let error):
            let failure = #expect(throws: MediaFailure.self) { try WebURL.parse(odd.written) }
            #expect(failure?.reason == .invalidURL)
            // libcurl may convert a foreign host to a text that is then refused for another reason.
            if error != .foreignHost { #expect(failure?.detail == error.description) }
        case .normal(let text), .foreign(let text):
            let url = try WebURL.parse(odd.written)
            #expect(url.text == text)
            try expectAgreement(on: url, written: odd.written)
            #expect(try policy.validate(odd.written).text == text)
        }
    }

    @Test func `libcurl parses random URLs like the strict parser`() throws {
        var generator = SeededGenerator(seed: 7)
        let pieces = [
            "http", "https", "HTTP", "ftp", "://", ":/", "//", "a.example", "127.0.0.1", "8.8.8.8", "256.1.1.1",
            "1.2.3", "01.2.3.4", "0.0.0.0", "0x7f.1", "1e3", "a-b_c.example", "A.example", "a..b", ".", "-", "_",
            "localhost", ":", "80", "443", "8080", "0", "00080", "65535", "65536", "/", "x", "X9", "?", "=", "&", "~",
            "/.", "..", "#", "%41", "@", " ", "\u{E9}", "[::1]",
        ]
        var accepted = 0
        for _ in 0..<50_000 {
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
            guard let url = try? WebURL.parse(text), let judged = try? policy.validate(text) else { continue }
            accepted += 1
            try expectAgreement(on: url, written: text)
            #expect((judged.host, judged.port) == (url.host.text, url.effectivePort), "\(text)")
            #expect((judged.hostAndPort, judged.origin) == (url.hostAndPort, url.origin), "\(text)")
            #expect(judged.address == url.host.address, "\(text)")
            #expect(try policy.validate(judged.text) == judged, "\(text)")
        }
        #expect(accepted > 5_000)
    }

    /// Expects that libcurl reads the normal form like the parser, and reads the written form with the same host.
    private func expectAgreement(on url: WebURL, written: String) throws {
        let normal = try CurlURL(url.text)
        let (scheme, host, hasCredentials) = (normal.scheme, normal.host, normal.hasCredentials)
        #expect((scheme, host, hasCredentials) == (url.scheme, url.host.textInURL, false), "\(written)")
        let text = normal.text
        #expect(text?.hasPrefix(url.shortOrigin + "/") == true, "\(written)")
        if url.isPlain { #expect(text == url.text, "\(written)") }
        let asWritten = try CurlURL(written)
        let (writtenHost, writtenCredentials) = (asWritten.host, asWritten.hasCredentials)
        #expect(try WebHost.parse(writtenHost ?? "") == url.host, "\(written)")
        #expect(!writtenCredentials, "\(written)")
    }
}
