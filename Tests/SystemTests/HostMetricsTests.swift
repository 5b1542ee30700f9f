import NotificationModel
import Primitives
import Telemetry
import TestSupport
import Testing

@testable import appgroupd

/// Tests that callers that name many hosts do not fill the metrics, and do not push other hosts out of them.
@Suite struct HostMetricsTests {
    private let clock = ManualClock()
    private let metrics: HostMetrics

    init() { metrics = HostMetrics(clock: clock) }

    private func note(_ origin: String, failure: DegradationReason? = nil) {
        var transfer = TransferTiming(origin: origin)
        transfer.wait = .milliseconds(200)
        transfer.wireBytes = 1_000
        transfer.failure = failure
        metrics.note(transfer)
    }

    private func hosts(_ name: String = "appgroupd_host_transfers_total") -> [String] {
        let family = metrics.families().first { $0.name == name }
        let values = (family?.samples ?? []).compactMap { sample in sample.labels.first { $0.name == "host" }?.value }
        return Set(values).sorted()
    }

    private func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        let samples = metrics.families().first { $0.name == name }?.samples ?? []
        return samples.first { sample in
            labels.allSatisfy { label in sample.labels.contains(MetricLabel(name: label.key, value: label.value)) }
        }?.value
    }

    @Test func `100,000 hosts leave at most 51 label values, and every transfer is counted`() {
        for number in 0..<100_000 { note("https://h\(number).flood.example", failure: .dnsFailed) }
        for number in 0..<100_000 { note("https://h\(number).flood.example", failure: .dnsFailed) }
        #expect(hosts().count <= 51)
        let transfers = metrics.families().first { $0.name == "appgroupd_host_transfers_total" }
        #expect(transfers?.samples.reduce(0) { $0 + $1.value } == 200_000)
        let count = metrics.families().reduce(0) { $0 + $1.samples.count }
        #expect(count <= 51 * (2 + 1 + 8) + 1)
    }

    @Test func `a flood of 100,000 hosts pushes no busy host out`() async {
        for _ in 0..<5 {
            for number in 0..<50 { for _ in 0..<5 { note("https://cdn\(number).example") } }
            clock.advance(by: RankedNames<Int>.window)
        }
        let before = hosts()
        #expect(before.count == 51)
        for minute in 0..<10 {
            for number in 0..<10_000 {
                note("https://\(minute)-\(number).flood.example", failure: .connectFailed)
                if number.isMultiple(of: 40) { note("https://cdn\(number / 40 % 50).example") }
            }
            clock.advance(by: RankedNames<Int>.window)
        }
        note("https://cdn0.example")
        #expect(hosts() == before)
        #expect(value("appgroupd_host_transfers_total", ["host": "other", "result": "failed"]) == 100_000)
        #expect(value("appgroupd_host_transfers_folded_total") == 100_050)
    }

    @Test(arguments: [
        ("https://cdn.example", "cdn.example"), ("http://cdn.example:8080", "cdn.example:8080"),
        ("https://[2001:db8::1]:8443", "[2001:db8::1]:8443"), ("https://other", "other."),
    ])
    func `a host is named without its scheme, and a host called other is not the sum of all others`(
        _ origin: String, _ host: String
    ) {
        for _ in 0..<3 { note(origin) }
        #expect(hosts() == [host, "other"].sorted())
        #expect(value("appgroupd_host_transfers_total", ["host": host, "result": "succeeded"]) == 2)
        #expect(value("appgroupd_host_transfer_bytes_total", ["host": host]) == 2_000)
        #expect(value("appgroupd_host_transfer_seconds", ["host": host, "le": "0.5"]) == 2)
    }
}
