import Base
import Glibc
import NotificationModel
import Testing

@testable import MediaFetcher

/// The tests of hosts that libcurl converts to the ASCII form of DNS (IDNA).
@Suite struct ForeignHostTests {
    init() { setlocale(LC_CTYPE, "C.UTF-8") }

    @Test(arguments: [
        ("b\u{fc}cher.example", "xn--bcher-kva.example"), ("B\u{dc}CHER.example", "xn--bcher-kva.example"),
        ("\u{24DB}\u{24DE}\u{24D2}\u{24D0}\u{24DB}\u{24D7}\u{24DE}\u{24E2}\u{24E3}", "localhost"),
        ("loc\u{AD}alhost", "localhost"), ("example\u{FF0E}com", "example.com"),
        // IDNA converts these characters to digits and dots.
        ("\u{FF11}\u{FF12}\u{FF17}.\u{FF10}.\u{FF10}.\u{FF11}", "127.0.0.1"),
        ("127\u{3002}0\u{3002}0\u{3002}1", "127.0.0.1"), ("\u{2460}\u{2461}\u{2466}.0.0.1", "127.0.0.1"),
    ])
    func `a name is converted to the ASCII form of DNS`(_ written: String, _ text: String) throws {
        let host = try WebHost.parse(written)
        #expect(host.text == text)
        #expect(host.address == IPAddress(text))
    }

    @Test(arguments: [
        // IDNA converts these characters to delimiters of a URL.
        "a\u{FF20}b.example", "a\u{FF0F}b.example", "a\u{FF1A}80.example", "a\u{FF1F}b.example", "a\u{FF03}b.example",
        "a\u{FF05}2e.example", "\u{FF3B}::1\u{FF3D}", "\u{301}", "\u{661}\u{662}\u{667}.0.0.1",
        String(repeating: "\u{fc}", count: 2_000) + ".example",
    ])
    func `a malformed name is refused`(_ written: String) {
        let failure = #expect(throws: MediaFailure.self) { try WebHost.parse(written) }
        #expect(failure?.reason == .invalidURL)
    }
}
