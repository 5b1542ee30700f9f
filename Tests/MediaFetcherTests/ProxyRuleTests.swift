import Base
import NotificationModel
import Testing

@testable import MediaFetcher

/// The tests of the egress proxy without a server: the hosts with direct connections, and the targets of tunnels.
@Suite struct ProxyRuleTests {
    @Test(arguments: [
        ("example.com", "example.com", true), ("example.com", "a.b.example.com", true),
        ("example.com", "notexample.com", false), ("example.com", "com", false),
        (".example.com", "example.com", false), (".example.com", "a.example.com", true),
        ("*.example.com", "example.com", false), ("*.example.com", "a.b.example.com", true),
        ("Example.COM.", "a.example.com", true), ("intern", "intern", true), ("intern", "db.intern", true),
        ("10.0.0.0/8", "10.example.com", false),
    ])
    func `an entry of noProxy covers only the host names that match the entry`(
        _ entry: String, _ host: String, _ isCovered: Bool
    ) {
        #expect(ProxyBypass(["other.test", entry]).covers(name: host) == isCovered)
    }

    @Test(arguments: [
        (["10.0.0.0/8"], ["10.1.2.3"], true), (["10.0.0.0/8"], ["10.1.2.3", "11.1.2.3"], false),
        (["10.0.0.0/8", "11.1.2.3"], ["10.1.2.3", "11.1.2.3"], true), (["10.0.0.0/8"], [], false),
        (["fd00::/8"], ["fd00::1"], true), (["::1"], ["0.0.0.1"], false), (["example.com"], ["10.1.2.3"], false),
    ])
    func `an entry of noProxy covers a host if it contains all addresses of the host`(
        _ entries: [String], _ addresses: [String], _ isCovered: Bool
    ) {
        #expect(ProxyBypass(entries).covers(addresses.compactMap { IPAddress($0) }) == isCovered)
    }

    @Test func `each attempt uses another address, alternating between the families`() {
        func targets(_ addresses: [String]) -> [String?] {
            (1...4).map { Tunnel.target(ofAttempt: $0, among: addresses.compactMap { IPAddress($0) })?.text }
        }
        #expect(targets([]) == [nil, nil, nil, nil])
        #expect(targets(["192.0.2.1"]) == ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.1"])
        #expect(targets(["::1", "::2", "192.0.2.1"]) == ["::1", "192.0.2.1", "::2", "192.0.2.1"])
        #expect(targets(["192.0.2.1", "192.0.2.2"]) == ["192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.2"])
    }

    @Test func `the request for a tunnel to an IPv6 address has the address in brackets`() {
        let proxy = ProxyEndpoint(host: "fd00::3128", port: 3_128)
        let tunnel = Tunnel(proxy: proxy, proxyAddresses: [], target: IPAddress("2001:db8::1"), origin: "a.test:443")
        #expect(tunnel.connectTo == ["::[2001:db8::1]:"])
        #expect(tunnel.destination == "a.test:443 at [2001:db8::1]")
        #expect(proxy.hostAndPort == "[fd00::3128]:3128" && tunnel.pin == nil)
    }
}
