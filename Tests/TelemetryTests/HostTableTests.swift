import Base
import NotificationModel
import Testing

@testable import Telemetry

@Suite struct HostTableTests {
    private let start = MonotonicInstant.now

    private func at(_ seconds: Int) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

    private func transfer(
        _ origin: String, wait: Duration = .milliseconds(10), bytes: Int = 100, failure: DegradationReason? = nil
    ) -> TransferTiming {
        var timing = TransferTiming(origin: origin)
        timing.wait = wait
        timing.status = failure == nil ? 200 : nil
        timing.wireBytes = bytes
        timing.failure = failure
        return timing
    }

    @Test(arguments: [
        ("https://cdn.example", "cdn.example:443"), ("http://cdn.example", "cdn.example:80"),
        ("https://cdn.example:8443", "cdn.example:8443"), ("http://[::1]", "[::1]:80"),
    ]) func `a host has the name that its circuit breaker has`(_ origin: String, _ host: String) {
        #expect(HostTable.host(of: origin) == host)
    }

    @Test func `figures have requests, bytes, failures and times to the first byte`() throws {
        let table = HostTable(at: start)
        for number in 1...20 {
            table.note(transfer("https://a.example", wait: .milliseconds(number * 10)), at: at(1))
        }
        table.note(transfer("https://a.example", failure: .httpStatus), at: at(1))
        table.note(transfer("https://a.example", failure: .cancelled), at: at(1))
        let report = table.report(by: .requests, most: 10, at: at(2))
        let (host, figures) = try #require(report.hosts.first)
        #expect(host == "a.example:443")
        #expect(figures.requests == 22 && figures.bytes == 2_200)
        #expect(figures.failures == [.httpStatus: 1, .cancelled: 1])
        // A cancelled transfer is not the host's failure.
        #expect(figures.failed == 1)
        let p95 = try #require(figures.firstByte.quantile(0.95))
        #expect((Duration.milliseconds(190)...(.milliseconds(240))).contains(p95))
        #expect(report.other == HostFigures())
    }

    @Test func `each order has its host first`() {
        let table = HostTable(at: start)
        for _ in 0..<3 { table.note(transfer("https://many.example"), at: start) }
        table.note(transfer("https://slow.example", wait: .seconds(3)), at: start)
        table.note(transfer("https://large.example", bytes: 1 << 20), at: start)
        for _ in 0..<2 { table.note(transfer("https://broken.example", failure: .connectFailed), at: start) }
        let firsts = HostOrder.allCases.map { order in
            table.report(by: order, most: 1, at: start).hosts.first?.host.prefix { $0 != "." }.description
        }
        #expect(firsts == ["many", "broken", "slow", "large"])
    }

    @Test func `100,000 hosts take the memory of 512, and no transfer is missing`() {
        let table = HostTable(at: start)
        for number in 0..<100_000 {
            table.note(transfer("https://h\(number).example"), at: start)
            // A host with many requests stays among hosts that occur once.
            if number.isMultiple(of: 100) { table.note(transfer("https://cdn.example"), at: start) }
        }
        let report = table.report(by: .requests, most: 50, at: start)
        #expect(report.hosts.count == 50)
        #expect(report.hosts.first?.host == "cdn.example:443")
        #expect(report.hosts.first?.figures.requests == 1_000)
        #expect((1...(HostTable.maxHosts - 50)).contains(report.otherHosts))
        let sum = report.hosts.reduce(report.other.requests) { $0 + $1.figures.requests }
        #expect(sum == 101_000)
        let bytes = report.hosts.reduce(report.other.bytes) { $0 + $1.figures.bytes }
        #expect(bytes == 101_000 * 100)
    }

    @Test func `the figures of a host leave the report after five to ten minutes`() {
        let table = HostTable(at: start)
        table.note(transfer("https://a.example"), at: start)
        #expect(table.report(by: .requests, most: 1, at: at(400)).hosts.count == 1)
        let later = table.report(by: .requests, most: 1, at: at(700))
        #expect(later.hosts.isEmpty)
        #expect(later.covered <= .seconds(600))
    }
}
