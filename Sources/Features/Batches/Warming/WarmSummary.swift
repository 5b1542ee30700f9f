import Base
import FeatureKit
import NotificationModel

/// The report of a batch as text.
struct WarmSummary {
    private static let maxHosts = 10

    let report: WarmReport

    /// Returns the report as lines for a terminal with this number of columns.
    func lines(width: Int) -> [String] {
        let sections: [(String, [String])] = [
            ("warm", [warm]), ("failed", report.total.failed > 0 ? [failed] : []),
            ("other", other.isEmpty ? [] : [other]), ("bytes", [bytes]), ("time", [time]), ("slowest", slowest),
            ("largest", largest), ("hosts", hosts),
        ]
        return sections.flatMap { WrappedText.lines($0, $1, width: width) }
    }

    private var warm: String {
        let total = report.total
        let kept = total.kept > 0 ? ", \(total.kept) kept" : ""
        let earlier = report.earlier > 0 ? ", \(HumanText.counted(report.earlier, "item")) in an earlier run" : ""
        return "\(total.warm) of \(HumanText.counted(report.items, "item")): \(total.media) media, "
            + "\(total.cached) from the cache\(kept)\(earlier)"
    }

    private var failed: String {
        let reasons = report.sortedReasons.map { "\($0.reason.rawValue) \($0.count)" }.joined(separator: ", ")
        let listed = report.unlistedFailures > 0 ? "; the report lists \(report.failures.count) of them" : ""
        return "\(report.total.failed): \(reasons)\(listed)"
    }

    private var other: String {
        [(report.total.empty, "without media"), (report.repeated, "repeated"), (report.notTried, "not tried")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    private var bytes: String {
        "\(HumanText.bytes(report.total.sourceBytes)) of sources, "
            + "\(HumanText.bytes(report.total.renditionBytes)) of renditions"
    }

    private var time: String {
        let seconds = report.elapsed.seconds
        let rate = seconds > 0 ? Double(report.total.done - report.earlier) / seconds : 0
        return "\(HumanText.duration(report.elapsed)), \(rate.roundedToTenths) items a second"
    }

    private var slowest: [String] {
        report.slowest.prefix(3).map {
            "\(HumanText.duration(.milliseconds($0.milliseconds)))  \(VisibleText.of($0.name))"
        }
    }

    private var largest: [String] {
        report.largest.prefix(3).map { "\(HumanText.bytes($0.sourceBytes))  \(VisibleText.of($0.name))" }
    }

    private var hosts: [String] {
        let all = report.sortedHosts
        let lines = all.prefix(Self.maxHosts).map { host, sums in
            let name = host.isEmpty ? "(none)" : VisibleText.of(host)
            let mean = HumanText.duration(.milliseconds(sums.milliseconds / max(1, sums.done)))
            let failed = sums.failed > 0 ? ", \(sums.failed) failed" : ""
            return "\(name): \(HumanText.counted(sums.done, "item"))\(failed), "
                + "\(HumanText.bytes(sums.sourceBytes)), \(mean) on average"
        }
        return lines + (all.count > lines.count ? ["and \(all.count - lines.count) more"] : [])
    }
}
