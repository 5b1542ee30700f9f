import Base
import NotificationModel
import Testing

@testable import Telemetry

/// Tests that payloads with many hosts do not fill the metrics, and do not push other hosts out of them.
@Suite final class HostSeriesTests {
    private let table: HostTable
    private var now = MonotonicInstant.now

    init() { table = HostTable(at: now) }

    private func note(_ origin: String, times: Int = 1, failure: DegradationReason? = nil) {
        var transfer = TransferTiming(origin: origin)
        transfer.wait = .milliseconds(200)
        transfer.wireBytes = 1_000
        transfer.failure = failure
        for _ in 0..<times { table.note(transfer, at: now) }
    }

    private func pass(periods: Int = 1) { now = now + HostTable.period * periods }

    /// Notes requests to as many hosts as have places.
    private func noteUsual(times: Int, from first: Int = 0) {
        for number in first..<HostTable.maxSeries { note("https://cdn\(number).example", times: times) }
    }

    private var hosts: [String] { table.series().hosts.map(\.host) }

    private func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        let samples = table.families().first { $0.name == name }?.samples ?? []
        return samples.first { sample in
            labels.allSatisfy { label in sample.labels.contains(MetricLabel(name: label.key, value: label.value)) }
        }?.value
    }

    @Test func `100,000 hosts leave at most 51 label values, and every transfer is counted`() {
        noteUsual(times: 2)
        for _ in 0..<2 {
            for number in 0..<100_000 { note("https://h\(number).flood.example", failure: .dnsFailed) }
        }
        let families = table.families()
        let labels: [MetricLabel] = families.flatMap(\.samples).flatMap(\.labels)
        let hosts: Set<String> = Set(labels.filter { $0.name == "host" }.map(\.value))
        #expect(hosts.count == 51)
        let transfers = families.first { $0.name == "appgroupd_host_transfers_total" }
        #expect(transfers?.samples.reduce(0) { $0 + $1.value } == 200_100)
        let count: Int = families.reduce(0) { $0 + $1.samples.count }
        #expect(count <= 51 * (3 + 1 + 8) + 1)
    }

    @Test func `a flood of 100,000 hosts pushes no busy host out`() {
        noteUsual(times: 25)
        pass()
        let before = hosts
        #expect(before.count == HostTable.maxSeries)
        for period in 0..<10 {
            for number in 0..<10_000 {
                note("https://\(period)-\(number).flood.example", failure: .connectFailed)
                if number.isMultiple(of: 40) { note("https://cdn\(number / 40 % 50).example") }
            }
            pass()
        }
        note("https://cdn0.example")
        #expect(hosts == before)
        #expect(value("appgroupd_host_transfers_total", ["host": "other", "result": "failed"]) == 100_000)
        #expect(value("appgroupd_host_transfers_folded_total") == 100_050)
        // The hosts with series stay in the reports too.
        let report = table.report(by: .requests, most: HostTable.maxSeries, at: now)
        #expect(Set(report.hosts.map(\.host)) == Set(before))
    }

    @Test func `hosts of a flood that took all places give way to the hosts that are used afterwards`() {
        for number in 0..<1_000 { note("https://\(number).flood.example", times: 2) }
        #expect(hosts.allSatisfy { $0.contains("flood") } && hosts.count == HostTable.maxSeries)
        for _ in 0...HostTable.maxSeries {
            pass()
            noteUsual(times: 5)
        }
        #expect(hosts.allSatisfy { $0.hasPrefix("cdn") })
    }

    @Test func `the busiest host without series takes the place of the least used host, one in each period`() {
        noteUsual(times: 3)
        noteUsual(times: 3, from: 1)
        for number in 0..<10 { note("https://risen\(number).example", times: 100 + number) }
        pass()
        note("https://risen9.example")
        #expect(hosts.filter { $0.hasPrefix("risen") } == ["risen9.example:443"])
        #expect(!hosts.contains("cdn0.example:443"))
        #expect(hosts.count == HostTable.maxSeries)
        // The series begins at 0, and the requests before are those of the others.
        #expect(value("appgroupd_host_transfers_total", ["host": "risen9.example:443", "result": "succeeded"]) == 1)
    }

    @Test func `a host that has fewer than twice the requests of the least used host takes no place`() {
        noteUsual(times: 3)
        note("https://next.example", times: 5)
        pass()
        note("https://next.example")
        #expect(!hosts.contains("next.example:443"))
    }

    @Test func `hosts that were not used for hours give way to the next host`() {
        noteUsual(times: 100)
        pass(periods: 1_000)
        note("https://next.example", times: 2)
        pass()
        note("https://next.example")
        #expect(hosts.contains("next.example:443"))
        #expect(hosts.count == HostTable.maxSeries)
    }

    @Test func `a host has series from its second request on, by its name and port`() {
        note("https://other", times: 3)
        note("https://other", failure: .cancelled)
        #expect(hosts == ["other:443"])
        #expect(value("appgroupd_host_transfers_total", ["host": "other", "result": "succeeded"]) == 1)
        for (result, count) in [("succeeded", 2.0), ("failed", 0), ("cancelled", 1)] {
            #expect(value("appgroupd_host_transfers_total", ["host": "other:443", "result": result]) == count)
        }
        #expect(value("appgroupd_host_transfer_bytes_total", ["host": "other:443"]) == 3_000)
        #expect(value("appgroupd_host_transfer_seconds", ["host": "other:443", "le": "0.1"]) == 0)
        #expect(value("appgroupd_host_transfer_seconds", ["host": "other:443", "le": "0.5"]) == 3)
    }
}
