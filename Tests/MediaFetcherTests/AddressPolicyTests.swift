import Base
import MediaFetcher
import NotificationModel
import Testing

/// The tests of the address policy. The addresses are written as text, because a table of bytes would repeat the parser
/// of the code.
@Suite struct AddressPolicyTests {
    @Test(arguments: [
        "0.0.0.0", "0.255.255.255", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
        "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1",
        "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250",
        "240.0.0.1", "255.255.255.255", "168.63.129.16", "::", "::1", "::ffff:8.8.8.8", "::ffff:127.0.0.1",
        "::127.0.0.1", "64:ff9b::8.8.8.8", "64:ff9b:1::1", "100::1", "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1",
        "ff02::1", "2001::1", "2001:1ff:ffff::1", "2001:db8::1", "2002:7f00:1::1", "2002:808:808::1", "3fff::1",
        "3fff:fff:ffff::1", "2620:4f:8000::1", "2a00:1450::5efe:127.0.0.1", "2a00:1450::200:5efe:10.0.0.1", "4000::1",
    ])
    func `an address that is not public is refused`(_ text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressPolicy().decide(address, port: 443) != .allowed)
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "198.17.255.255", "198.20.0.0",
        "223.255.255.255", "168.63.129.15", "168.63.129.17", "2001:200::1", "2001:4860:4860::8888", "2a00:1450::1",
        "2606:4700::1111", "2001:db7:ffff::1", "2001:db9::1", "2003::1", "3ffe:ffff::1", "2620:4f:8001::1",
    ])
    func `a public address is allowed on the standard ports`(_ text: String) throws {
        let address = try #require(IPAddress(text))
        let rule = AddressPolicy(own: .known([]))
        #expect(rule.decide(address, port: 80) == .allowed)
        #expect(rule.decide(address, port: 443) == .allowed)
    }

    @Test(arguments: [0, 22, 25, 79, 81, 442, 444, 6379, 8080, 65535] as [UInt16])
    func `a port that the policy does not allow is refused for a public address`(_ port: UInt16) throws {
        let address = try #require(IPAddress("1.1.1.1"))
        #expect(AddressPolicy().decide(address, port: port) != .allowed)
    }

    @Test func `an allowed range permits refused addresses and ports only for its own addresses`() throws {
        let rule = AddressPolicy(allowed: [try #require(AddressRange("10.1.0.0/16"))])
        #expect(rule.decide(try #require(IPAddress("10.1.255.255")), port: 9_000) == .allowed)
        #expect(rule.decide(try #require(IPAddress("10.2.0.0")), port: 443) != .allowed)
        #expect(rule.decide(try #require(IPAddress("1.1.1.1")), port: 9_000) != .allowed)
        // The IPv4-mapped form of an allowed address is a different address, and is not allowed.
        #expect(rule.decide(try #require(IPAddress("::ffff:10.1.0.1")), port: 443) != .allowed)
    }

    @Test(
        arguments: [
            (["1.1.1.1", "8.8.8.8", "2606:4700::1111"], 443, nil),
            (["1.1.1.1", "127.0.0.1"], 443, "one of the host's addresses is not public"),
            (["127.0.0.1", "1.1.1.1"], 443, "one of the host's addresses is not public"),
            (["1.1.1.1", "::ffff:1.1.1.1"], 443, "one of the host's addresses is not public"),
            (["127.0.0.1", "127.0.0.1"], 443, "the address is not public"),
            (["1.1.1.1"], 8_080, "port 8080 is not 80 or 443"),
            ([], 443, "the host has no address"),
            (["10.1.0.1"], 8_080, nil), (["10.1.0.1", "10.1.0.2"], 22, nil),
            // The range lifts the rules of address and port only for its own addresses.
            (["10.1.0.1", "1.1.1.1"], 443, nil), (["10.1.0.1", "1.1.1.1"], 8_080, "port 8080 is not 80 or 443"),
            (["10.1.0.1", "10.2.0.1"], 443, "one of the host's addresses is not public"),
        ] as [([String], UInt16, String?)])
    func `a single refused address refuses the host`(
        _ addresses: [String], _ port: UInt16, _ refusal: String?
    ) throws {
        let rule = AddressPolicy(allowed: [try #require(AddressRange("10.1.0.0/16"))], own: .known([]))
        let decision = rule.decide(try addresses.map { try #require(IPAddress($0)) }, port: port)
        #expect(decision == refusal.map { .refused($0) } ?? .allowed)
    }

    @Test func `a public address of this host is refused`() throws {
        let own: [IPAddress] = try ["93.184.216.34", "2606:2800:220:1::7"].map { try #require(IPAddress($0)) }
        let rule = AddressPolicy(own: .known(Set(own)))
        let other = try #require(IPAddress("93.184.216.35"))
        for address in own {
            #expect(rule.decide(address, port: 443) == .refused("the address is an address of this host"))
            #expect(
                rule.decide([other, address], port: 443)
                    == .refused("one of the host's addresses is an address of this host"))
        }
        #expect(rule.decide(other, port: 443) == .allowed)
        var lifted = rule
        lifted.allowed = [try #require(AddressRange("93.184.216.34"))]
        #expect(lifted.decide(own[0], port: 9_000) == .allowed)
        #expect(lifted.decide(own[1], port: 443) != .allowed)
    }

    @Test func `a public address is refused if the addresses of this host cannot be read`() throws {
        let rule = AddressPolicy(allowed: [try #require(AddressRange("127.0.0.0/8"))], own: .known(nil))
        let decision = rule.decide(try #require(IPAddress("1.1.1.1")), port: 443)
        #expect(
            decision
                == .refused("the addresses of this host cannot be read, and the address may be one of them"))
        #expect(rule.decide(try #require(IPAddress("127.0.0.1")), port: 443) == .allowed)
    }

    @Test(arguments: [(80, false), (443, false), (0, true), (22, true), (8_080, true)] as [(UInt16, Bool)])
    func `a port that is forbidden for all addresses is refused before resolution`(_ port: UInt16, _ isRefused: Bool) {
        #expect((AddressPolicy().refusal(of: port) != nil) == isRefused)
        let lifting = AddressPolicy(allowed: ["127.0.0.0/8"].compactMap(AddressRange.init))
        #expect(lifting.refusal(of: port) == nil)
    }

    @Test(arguments: [
        ("127.0.0.0/8", "127.255.0.1", true), ("127.0.0.0/8", "128.0.0.0", false), ("0.0.0.0/0", "255.1.2.3", true),
        ("10.0.0.1", "10.0.0.1", true), ("10.0.0.1", "10.0.0.2", false), ("10.0.0.7/31", "10.0.0.6", true),
        ("::1/128", "::1", true), ("::1/128", "::2", false), ("::/0", "ff02::1", true), ("::/0", "1.1.1.1", false),
        ("fd00::/8", "fdff::1", true), ("fd00::/8", "fc00::1", false), ("0.0.0.0/0", "::1", false),
    ])
    func `a range contains exactly its addresses`(_ range: String, _ address: String, _ isInside: Bool) throws {
        let range = try #require(AddressRange(range))
        #expect(range.contains(try #require(IPAddress(address))) == isInside)
    }

    @Test(arguments: [
        "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/-0", "::/-0", "10.0.0.0/8 ",
        "10.0.0.0/8/8", "10.0.0/8", "::1/129",
        "localhost", "10.0.0.0/ 8", "0x7f.0.0.1", "2130706433", "[::1]", "fe80::1%eth0", "010.0.0.1",
    ])
    func `a malformed range is refused`(_ text: String) {
        #expect(AddressRange(text) == nil)
    }
}
