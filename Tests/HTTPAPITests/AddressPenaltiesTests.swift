import Base
import NIOCore
import TestSupport
import Testing

@testable import HTTPAPI

@Suite(.timeLimit(.minutes(1)))
struct AddressPenaltiesTests {
    private static func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    @Test(arguments: [
        (AddressPenalties.Fault.violation, AddressPenalties.maxViolations),
        (.noRequest, AddressPenalties.maxWithoutRequest),
    ])
    func `an address with too many faults is refused for a minute`(fault: AddressPenalties.Fault, most: Int) throws {
        let clock = ManualClock()
        let penalties = AddressPenalties(exempt: [], maxConnections: 8, clock: clock)
        let (bad, other) = (try Self.address("192.0.2.1"), try Self.address("192.0.2.2"))
        for _ in 0..<most { penalties.add(fault, by: bad) }
        #expect(penalties.admits(bad))
        clock.advance(by: .seconds(30))
        penalties.add(fault, by: bad)
        #expect(!penalties.admits(bad) && penalties.admits(other))
        clock.advance(by: .seconds(59))
        #expect(!penalties.admits(bad))
        clock.advance(by: .seconds(1))
        #expect(penalties.admits(bad))
    }

    @Test func `faults are forgotten after a minute`() throws {
        let clock = ManualClock()
        let penalties = AddressPenalties(exempt: [], maxConnections: 8, clock: clock)
        let address = try Self.address("192.0.2.1")
        for _ in 0..<3 {
            for _ in 0..<AddressPenalties.maxViolations { penalties.add(.violation, by: address) }
            clock.advance(by: AddressPenalties.time)
            #expect(penalties.admits(address))
        }
    }

    @Test func `the addresses of a client's IPv6 network share their faults`() throws {
        let penalties = AddressPenalties(exempt: [], maxConnections: 8, clock: ManualClock())
        for number in 0...AddressPenalties.maxViolations {
            penalties.add(.violation, by: try Self.address("2001:db8::\(number)"))
        }
        let (same, other) = (try Self.address("2001:db8::ffff"), try Self.address("2001:db8:0:1::1"))
        #expect(!penalties.admits(same) && penalties.admits(other))
    }

    @Test func `a trusted proxy is never refused`() throws {
        let range = try #require(AddressRange("192.0.2.0/24"))
        let penalties = AddressPenalties(exempt: [range], maxConnections: 8, clock: ManualClock())
        let proxy = try Self.address("192.0.2.1")
        for _ in 0...AddressPenalties.maxWithoutRequest { penalties.add(.violation, by: proxy) }
        #expect(penalties.admits(proxy))
    }

    @Test func `one address has half of the connections, and a trusted proxy has all`() throws {
        let range = try #require(AddressRange("192.0.2.0/24"))
        let penalties = AddressPenalties(exempt: [range], maxConnections: 8, clock: ManualClock())
        let (client, other) = (try Self.address("198.51.100.1"), try Self.address("198.51.100.2"))
        for _ in 0..<4 { #expect(penalties.takePlace(of: client)) }
        #expect(!penalties.takePlace(of: client) && penalties.takePlace(of: other))
        penalties.leavePlace(of: client)
        #expect(penalties.takePlace(of: client))
        let proxy = try Self.address("192.0.2.1")
        for _ in 0..<8 { #expect(penalties.takePlace(of: proxy)) }
    }

    @Test(arguments: [true, false])
    func `only a listener with tokens refuses an address after malformed requests`(needsToken: Bool) async throws {
        var settings = HTTPServerSettings()
        settings.needsToken = needsToken
        try await ServerBench.run(settings) { bench in
            for _ in 0...AddressPenalties.maxViolations {
                try await RawConnection.open(to: .tcp(bench.port)) { connection in
                    try await connection.send("nonsense\r\n\r\n")
                    _ = try await connection.readAnswer()
                }
            }
            let answer = try? await bench.send("GET", "/healthz").status
            #expect(answer == (needsToken ? nil : 200))
        }
    }
}
