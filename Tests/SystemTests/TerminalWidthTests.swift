import FeatureKit
import FoundationEssentials
import NotificationModel
import Testing

@testable import AppGroupStore
@testable import StoreTools
@testable import appgroupd

/// Tests that reports fit the width of a terminal.
@Suite struct TerminalWidthTests {
    private static let findings = [
        Finding(area: "worker", name: "allowed calls", answer: .ok(String(repeating: "mmap, ", count: 30))),
        Finding(
            area: "root", name: "owner and mode",
            answer: .warning("mode 755", remedy: String(repeating: "chmod o= ./var ", count: 12))),
        Finding(area: "limits", name: "cores", answer: .failed("0", remedy: "add one")),
    ]

    @Test(arguments: [60, 80, 200]) func `no line of the doctor's report is wider than the terminal`(width: Int) {
        let lines = DoctorReport(findings: Self.findings).lines(width: width, isColored: false)
        #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
        let words = lines.joined(separator: " ").split(separator: " ")
        #expect(words.count { $0 == "mmap," } == 30)
        #expect(words.count { $0 == "chmod" } == 12)
    }

    @Test func `the doctor's report has colors on a terminal that supports them, and the text does not change`() {
        let report = DoctorReport(findings: Self.findings)
        let colored = report.lines(width: 80, isColored: true)
        for (color, word) in [(32, "✓ ok     "), (33, "! warning"), (31, "✗ failed ")] {
            #expect(colored.contains { $0.contains("\u{1B}[1;\(color)m\(word)\u{1B}[0m") })
        }
        let plain = colored.map { $0.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") }
        #expect(plain == report.lines(width: 80, isColored: false))
    }

    @Test func `a report without a terminal has one line for each finding and each correction`() {
        #expect(DoctorReport(findings: Self.findings).lines(width: nil, isColored: false).count == 6)
    }

    @Test func `the last column of a table is wrapped only on a terminal`() {
        var table = TextTable(["KEY", "SOURCE", "VALUE"])
        table.add(["rule.ignore", "default", String(repeating: "text/html, ", count: 20)])
        table.add(["budget", "default", "30s"])
        let lines = table.lines(width: 60)
        #expect(lines.allSatisfy { $0.count <= 60 })
        #expect(lines[2].hasPrefix(String(repeating: " ", count: 22) + "text/html,"))
        #expect(lines.last == "budget       default  30s")
        #expect(table.lines.count == 3)
    }

    @Test func `no line of the cache statistics is wider than 80 columns`() throws {
        let group = try #require(AppGroupName("group." + String(repeating: "letters.", count: 14)))
        let used = Date(timeIntervalSince1970: 1_800_000_000)
        var statistics = StoreStatistics()
        for days in 1...3 {
            let file = ListedFile(
                group: group, digest: "d", path: "media/d.jpg", mimeType: "image/jpeg", bytes: 123_456_789,
                usedAt: used,
                leasedUntil: used, pinnedUntil: used.addingTimeInterval(Double(days) * 86_400))
            statistics.add(file, at: used)
        }
        let counts = ["miss", "hit", "stale", "shared", "revalidated", "partial", "negative"]
        statistics.deliveries = MediaDeliveries(
            metrics: counts.map { "appgroupd_media_fetched_total{cache=\"\($0)\"} 1234567" }.joined(separator: "\n"))
        let lines = statistics.lines(cacheQuota: 1 << 40, mediaQuota: 1 << 40)
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
        let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(words.contains("least recently used 2027-01-15T08:00:00Z"), "\(lines)")
        #expect(words.contains("until 2027-01-16T08:00:00Z to 2027-01-18T08:00:00Z"), "\(lines)")
        #expect(counts.allSatisfy { words.contains("\($0) 1234567") }, "\(lines)")
    }
}
