import Base
import Glibc
import TestSupport
import Testing

@Suite struct IPAddressTextTests {
    @Test(arguments: [
        ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("::", "::"), ("::1", "::1"), ("1::", "1::"),
        ("1:0:0:0:0:0:0:1", "1::1"), ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("1:0:0:2:3:0:0:4", "1::2:3:0:0:4"),
        ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"), ("2001:DB8::00A", "2001:db8::a"), ("::2", "::2"),
        ("::ffff:7f00:1", "::ffff:127.0.0.1"), ("::7f00:1", "::127.0.0.1"), ("64:ff9b::7f00:1", "64:ff9b::7f00:1"),
        ("::ffff:0:7f00:1", "::ffff:0:7f00:1"), ("0:0:0:0:0:1:0:0", "::1:0:0"), ("::ffff:0:0", "::ffff:0.0.0.0"),
    ])
    func `an address has one standard text form`(_ written: String, _ standard: String) throws {
        #expect(try #require(IPAddress(written)).text == standard)
    }

    @Test(arguments: ["127.0.0.1\0", "127.0.0.1\0.evil.example", "::1\0x", "\u{0}127.0.0.1"])
    func `a text with a NUL is no address`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func `the text form of an address equals the text form of the C library`() {
        var generator = SeededGenerator(seed: 5_952)
        for _ in 0..<20_000 {
            // Many of the 16-bit groups are zero, so that the addresses have runs of zeros.
            let words = (0..<8).map { _ in Bool.random(using: &generator) ? 0 : UInt16(generator.next() & 0xFFFF) }
            let number = words.reduce(UInt128(0)) { $0 << 16 | UInt128($1) }
            #expect(IPAddress.v6(number).text == text(of: number))
        }
    }

    private func text(of number: UInt128) -> String {
        var bytes = (0..<16).map { UInt8(truncatingIfNeeded: number >> UInt128(120 - 8 * $0)) }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
