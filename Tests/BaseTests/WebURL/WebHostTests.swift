import Base
import Glibc
import TestSupport
import Testing

@Suite struct WebHostTests {
    struct Literal: Sendable, CustomTestStringConvertible {
        let written: String
        /// The expected address; `nil` if the host is refused.
        let address: String?
        init(_ written: String, _ address: String?) { (self.written, self.address) = (written, address) }
        var testDescription: String { "\(written) is \(address ?? "no host")" }
    }

    /// The expected values are the addresses that libcurl 7.88.1 tried for `curl -v http://HOST/` without a network. If
    /// libcurl wanted to resolve a name, the host is refused here, because it ends in a number.
    @Test(arguments: [
        Literal("2130706433", "127.0.0.1"), Literal("017700000001", "127.0.0.1"), Literal("0x7f000001", "127.0.0.1"),
        Literal("0X7F000001", "127.0.0.1"), Literal("127.1", "127.0.0.1"), Literal("127.0.1", "127.0.0.1"),
        Literal("0x7f.1", "127.0.0.1"), Literal("0177.0.0.1", "127.0.0.1"), Literal("0177.0x0.0.1", "127.0.0.1"),
        Literal("0000000127.0.0.1", "87.0.0.1"), Literal("00000177.0.0.1", "127.0.0.1"),
        Literal("127.000.000.001", "127.0.0.1"), Literal("127.0.0.01", "127.0.0.1"), Literal("010.8.8.8", "8.8.8.8"),
        Literal("127.256", "127.0.1.0"), Literal("127.65536", "127.1.0.0"), Literal("127.0.65535", "127.0.255.255"),
        Literal("127.16777215", "127.255.255.255"), Literal("4294967295", "255.255.255.255"), Literal("0", "0.0.0.0"),
        Literal("0x0", "0.0.0.0"), Literal("127.0.0.0x1", "127.0.0.1"), Literal("0x7f.0x0.0x0.0x1", "127.0.0.1"),
        Literal("0xc0a80101", "192.168.1.1"), Literal("3232235777", "192.168.1.1"),
        Literal("192.168.257", "192.168.1.1"), Literal("8.8.8.8", "8.8.8.8"), Literal("134744072", "8.8.8.8"),
        Literal("127.0.0.08", nil), Literal("08.8.8.8", nil), Literal("1.2.3.4.5", nil), Literal("1..2", nil),
        Literal("256.0.0.1", nil), Literal("1.256.0.1", nil), Literal("1.2.3.256", nil), Literal("1.2.65536", nil),
        Literal("127.16777216", nil), Literal("4294967296", nil), Literal("18446744073709551617", nil),
        Literal("0x100000000", nil), Literal("0x", nil), Literal("1.0x", nil), Literal("evil.example.1", nil),
        Literal("evil.example.0x7f", nil),
        Literal("00000000000000000000000000000000000000000000177.0.0.1", "127.0.0.1"),
        // libcurl leaves the final dot to the resolver, which removes it.
        Literal("127.0.0.1.", "127.0.0.1"), Literal("2130706433.", "127.0.0.1"), Literal("1.2.3..", nil),
        // Some parsers read percent signs as encoded characters, and others as zones.
        Literal("%31%32%37.0.0.1", nil), Literal("127%2e0%2e0%2e1", nil), Literal("127.0.0.1%00", nil),
        Literal("[fe80::1%25lo]", nil), Literal("[fe80::1%lo]", nil), Literal("[::1%25lo]", nil),
        Literal("[::ffff:127.0.0.1%25eth0]", nil),
        Literal("[::1]", "::1"), Literal("[0:0:0:0:0:0:0:1]", "::1"), Literal("[::FFFF:7F00:1]", "::ffff:127.0.0.1"),
        Literal("[::127.0.0.1]", "::127.0.0.1"), Literal("[2606:4700:0000::1111]", "2606:4700::1111"),
        Literal("[64:ff9b::7f00:1]", "64:ff9b::7f00:1"), Literal("[v1.::1]", nil), Literal("[127.0.0.1]", nil),
        Literal("[::1.]", nil), Literal("[::1", nil), Literal("::1]", nil), Literal("[]", nil), Literal("[", nil),
        Literal("[::1]x", nil), Literal("[[::1]]", nil), Literal("[::ffff:0177.0.0.1]", nil),
        Literal("[::ffff:127.1]", nil), Literal("[00000::1]", nil), Literal("[\u{301}::1]", nil),
    ])
    func `an address is recognized in every notation, and converted to its standard form`(_ literal: Literal) throws {
        let host = try? WebHost(literal.written)
        #expect(host == (try literal.address.map { .address(try #require(IPAddress($0))) }))
        #expect(host?.text == literal.address)
    }

    @Test(arguments: [
        ("example.com", "example.com"), ("EXAMPLE.com.", "example.com"), ("a_b.s3.example.com", "a_b.s3.example.com"),
        ("-.example", "-.example"), ("1e3", "1e3"), ("0xg", "0xg"), ("0b1", "0b1"), ("127.0.0.1e0", "127.0.0.1e0"),
        ("1.2.3.4.example", "1.2.3.4.example"), ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ])
    func `a name is converted to lower case, and its final dot is removed`(_ written: String, _ name: String) throws {
        let host = try WebHost(written)
        #expect(host == .name(name))
    }

    @Test(arguments: [
        "", ".", "..", "...", ".example", "a..b", "a.b..", "a b", "a,b", "a*b", "a!b", "a'b", "a(b)", "a;b", "a=b",
        "a&b", "a$b", "a+b", "a~b", "+1", "<a>", "a|b", "a^b", "a`b", "a\"b", "{a}", "a\u{0}b",
        "a/\u{301}b", "b\u{fc}cher.example", "\u{301}",
        String(repeating: "a", count: 64) + ".example", String(repeating: "a.", count: 128),
    ])
    func `a malformed name is refused`(_ written: String) {
        #expect(throws: WebURLError.self) { try WebHost(written) }
    }

    @Test func `IPv4 addresses are parsed as in the C library`() throws {
        var generator = SeededGenerator(seed: 7_881)
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...5, using: &generator)
            let parts = (0..<count).map { _ in Self.part(&generator) }
            let written = parts.joined(separator: ".")
            var address = in_addr()
            let isAddress = inet_aton(written, &address) == 1
            let host = try? WebHost(written)
            #expect(host == (isAddress ? .address(.v4(UInt32(bigEndian: address.s_addr))) : nil), "\(written)")
        }
    }

    private static func part(_ generator: inout SeededGenerator) -> String {
        let edges: [UInt64] = [
            0, 1, 7, 8, 9, 127, 255, 256, 65_535, 65_536, 0xFF_FFFF, 0x100_0000, 0xFFFF_FFFF, 1 << 32,
        ]
        let number =
            Bool.random(using: &generator)
            ? UInt64(generator.next() % 256) : edges.randomElement(using: &generator) ?? 0
        let zeros = String(repeating: "0", count: Int.random(in: 0...2, using: &generator))
        return switch generator.next() % 3 {
        case 0: String(number)
        case 1: "0" + zeros + String(number, radix: 8)
        default: (Bool.random(using: &generator) ? "0x" : "0X") + zeros + String(number, radix: 16)
        }
    }
}
