import Base
import NotificationModel
import Testing

@testable import Features

/// Tests of the sums of a batch.
@Suite struct WarmReportTests {
    private func record(_ index: Int, host: String, milliseconds: Int = 0, bytes: Int = 0) -> WarmRecord {
        let item = WarmSamples.item("http://\(host)/\(index)")
        return WarmRecord(item, WarmSamples.warm(item, bytes: bytes), took: .milliseconds(milliseconds))
    }

    @Test func `the ten slowest and the ten largest items are listed`() {
        var report = WarmReport()
        for index in [5, 1, 9, 0, 14, 3, 7, 11, 2, 13, 6, 10, 4, 12, 8] {
            report.add(record(index, host: "a.example", milliseconds: index * 10, bytes: 100 - index))
        }
        #expect(report.slowest.map(\.milliseconds) == (5...14).reversed().map { $0 * 10 })
        #expect(report.largest.map(\.sourceBytes) == (91...100).reversed())
    }

    @Test func `hosts beyond the limit are added up under one name`() {
        var report = WarmReport()
        for index in 0..<(WarmReport.maxHosts + 5) { report.add(record(index, host: "h\(index)")) }
        #expect(report.hosts.count == WarmReport.maxHosts + 1)
        #expect(report.hosts[WarmReport.otherHosts]?.warm == 5)
        #expect(report.hosts.values.map(\.done).reduce(0, +) == report.total.done)
    }

    @Test func `the sums of the JSON report are consistent`() {
        var report = WarmReport()
        report.add(record(1, host: "a.example", bytes: 7))
        let item = WarmSamples.item("http://b.example/2")
        report.add(WarmRecord(item, WarmSamples.failed(item, .dnsFailed), took: .seconds(1)))
        report.repeated = 2
        report.notTried = 3
        let totals = report.json["totals"]
        #expect(totals["items"] == 7)
        #expect(totals["warm"] == 1)
        #expect(totals["failed"] == 1)
        #expect(totals["sourceBytes"] == 7)
        #expect(report.json["reasons"]?["dns-failed"] == 1)
        #expect(report.json["complete"] == false)
        #expect(report.json["hosts"]?.array?.count == 2)
    }

    @Test func `the rate of a batch covers only the last seconds`() {
        let start = MonotonicInstant.now
        var meter = RateMeter(at: start)
        var rate = 0.0
        for second in 1...60 {
            rate = meter.rate(second <= 30 ? second * 10 : 300 + (second - 30) * 100, at: start + .seconds(second))
        }
        #expect((95...105).contains(rate), "\(rate)")
    }

    @Test func `the remaining time is calculated from the rate`() {
        var progress = WarmProgress()
        progress.done = 50
        #expect(progress.remaining == nil)
        progress.total = 150
        progress.rate = 10
        #expect(progress.remaining == .seconds(10))
    }
}
