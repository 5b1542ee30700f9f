import Testing

@testable import ServiceConfiguration

@Suite struct ValueTextTests {
    @Test(
        arguments: [
            ("0", 0), ("1000", 1_000), ("7B", 7), ("1kB", 1_000), ("1KB", 1_000), ("1KiB", 1_024), ("50MB", 50_000_000),
            ("40MiB", 41_943_040), ("2GB", 2_000_000_000), ("10GiB", 10_737_418_240), ("1TB", 1_000_000_000_000),
            ("1TiB", 1 << 40), ("007MB", 7_000_000),
        ])
    func `a number of bytes is read from digits and a unit`(text: String, count: Int) {
        #expect(ByteCountText.parse(text) == count)
        #expect(ByteCountText.parse(ByteCountText.text(count)) == count)
    }

    @Test(arguments: [
        "", "B", "MB", "-1", "+1", "1.5GB", "1 MB", " 1", "1mb", "1M", "1_000", "0x10", "1e3", "\u{665}", "1PB",
        "9223372036854775808", "9007199254740993TiB", "1MBMB", "1\u{0}",
    ])
    func `a text that is not a number of bytes is refused`(text: String) {
        #expect(ByteCountText.parse(text) == nil)
    }

    @Test(
        arguments: [
            ("Example.COM", "example.com"), ("example.com.", "example.com"), ("localhost", "localhost"),
            ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("a_b.example", "a_b.example"),
            ("192.0.2.1", "192.0.2.1"), ("2001:DB8::1", "2001:db8::1"), ("1.example", "1.example"),
        ])
    func `a host is read from a name or an address`(text: String, host: String) {
        #expect(HostText.parse(text) == host)
    }

    @Test(arguments: [
        "", ".", "..", "a..b", ".a", "-a", "a-", "a b", "a/b", "a:80", "[::1]", "*", "*.a", "bücher", "a\u{0}", "a\n",
        "user@a", String(repeating: "a", count: 64), String(repeating: "a.", count: 126) + "aa", "\u{212A}elvin",
    ])
    func `a text that is not a host is refused`(text: String) {
        #expect(HostText.parse(text) == nil)
    }

    @Test(
        arguments: [
            ("*.Example.com", "*.example.com"), ("a.example", "a.example"), ("*.com", "*.com"),
        ])
    func `a host pattern is a host name or a wildcard for all names below it`(text: String, pattern: String) {
        #expect(HostText.parsePattern(text) == pattern)
    }

    @Test(arguments: ["*", "*.", "*a.example", "*.*.example", "a.*", "*.192.0.2.1", "**.example"])
    func `a text that is not a host pattern is refused`(text: String) {
        #expect(HostText.parsePattern(text) == nil)
    }

    @Test(arguments: ["127.0.0.1:8480", "[::1]:0", "localhost:65535", "0.0.0.0:1", "[::]:80"])
    func `a listen address does not change when it is read and written again`(text: String) {
        #expect(ListenAddress(text)?.description == text)
    }

    @Test(
        arguments: [
            ("127.0.0.1:1", "127.0.0.1:1", true), ("127.0.0.1:1", "127.0.0.1:2", false),
            ("127.0.0.1:0", "127.0.0.1:0", false), ("127.0.0.1:1", "127.0.0.2:1", false),
            ("localhost:1", "[::1]:1", true), ("localhost:1", "127.0.0.1:1", true), ("0.0.0.0:1", "127.0.0.1:1", true),
            ("0.0.0.0:1", "box.lan:1", true), ("0.0.0.0:1", "[::1]:1", false), ("[::]:1", "127.0.0.1:1", true),
            ("[::]:1", "[2001:db8::1]:1", true), ("[0:0::1]:1", "[::1]:1", true), ("box.lan:1", "BOX.lan:1", true),
        ])
    func `two sockets cannot listen on the same address and port, or beside a wildcard`(
        one: String, other: String, isSame: Bool
    ) throws {
        let (one, other) = (try #require(ListenAddress(one)), try #require(ListenAddress(other)))
        #expect(one.occupies(other) == isSame && other.occupies(one) == isSame)
    }

    @Test(arguments: [
        "", ":", "a:", ":1", "1", "a:b", "a:-1", "a:65536", "::1:80", "[127.0.0.1]:80", "[::1]", "[::1:80", "::1]:80",
        "a b:80", "a:80 ", "http://a:80", "[fe80::1%eth0]:80",
    ])
    func `a text that is not an address to listen on is refused`(text: String) {
        #expect(ListenAddress(text) == nil)
    }
}
