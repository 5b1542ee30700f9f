import Base
import NotificationModel
import Testing

@testable import MediaFetcher

@Suite struct LocalInterfaceAddressesTests {
    /// A fixture with simulated interfaces and a manual clock.
    private final class Bench: Sendable {
        private struct State {
            var addresses: Set<IPAddress>? = []
            var isNews = false
            var now = MonotonicInstant.now
            var readings = 0
        }

        private let state = Guarded(State())

        var readings: Int { state.withLock { $0.readings } }

        func set(_ addresses: Set<IPAddress>?, isNews: Bool = false) {
            state.withLock {
                $0.addresses = addresses
                $0.isNews = isNews
            }
        }

        func advance(by duration: Duration) { state.withLock { $0.now = $0.now + duration } }

        var own: LocalInterfaceAddresses {
            LocalInterfaceAddresses(
                read: {
                    self.state.withLock {
                        $0.readings += 1
                        return $0.addresses
                    }
                },
                hasChanged: {
                    self.state.withLock { state in
                        defer { state.isNews = false }
                        return state.isNews
                    }
                },
                now: { self.state.withLock { $0.now } })
        }
    }

    private let here = IPAddress.v4(0x5DB8_D822)

    @Test func `the addresses are read at the first query, and again after ten seconds`() {
        let bench = Bench()
        let own = bench.own
        #expect(bench.readings == 0)
        #expect(own.contains(here) == false)
        bench.set([here])
        bench.advance(by: .milliseconds(9_999))
        #expect(own.contains(here) == false)
        #expect(bench.readings == 1)
        bench.advance(by: .milliseconds(1))
        #expect(own.contains(here) == true)
        #expect(bench.readings == 2)
    }

    @Test func `a change of the addresses takes effect at once`() {
        let bench = Bench()
        let own = bench.own
        #expect(own.contains(here) == false)
        bench.set([here], isNews: true)
        #expect(own.contains(here) == true)
        #expect(own.contains(here) == true)
        #expect(bench.readings == 2)
    }

    @Test func `unreadable addresses are unknown, and are read again at the next query`() {
        let bench = Bench()
        let own = bench.own
        bench.set([here])
        #expect(own.contains(here) == true)
        bench.set(nil)
        bench.advance(by: .seconds(10))
        #expect(own.contains(here) == nil)
        bench.set([here])
        #expect(own.contains(here) == true)
    }

    @Test func `the addresses of this machine are the addresses of its interfaces`() throws {
        let own = LocalInterfaceAddresses()
        #expect(own.contains(try #require(IPAddress("127.0.0.1"))) == true)
        #expect(own.contains(try #require(IPAddress("1.1.1.1"))) == false)
    }
}
