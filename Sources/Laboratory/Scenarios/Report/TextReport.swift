import Base
import FeatureKit
import NotificationModel

/// The report for people: a line for each scenario, and for each failure its place, the difference and a remedy.
package struct TextReport: Sendable {
    /// The number of columns of the terminal; `nil` if lines are not wrapped.
    private let width: Int?
    private let isColored: Bool

    package init(width: Int?, isColored: Bool) {
        self.width = width
        self.isColored = isColored
    }

    /// Returns the lines about a scenario.
    package func lines(of report: ScenarioReport) -> [String] {
        let mark = report.hasPassed ? colored("ok  ", .green) : colored("FAIL", .red)
        let flaky = report.hasPassed && report.retries > 0 ? ", after \(report.retries) failed" : ""
        let head = "\(mark)  \(report.name)  (\(report.milliseconds) ms\(flaky))"
        return [head] + report.phone.map { "      \($0)" } + report.failures.flatMap { lines(of: $0, in: report) }
            + report.unusedHosts.flatMap { remark("no request used the host \($0) of hosts") } + unlisted(in: report)
    }

    /// Returns the lines about a mistake in a file.
    package func lines(of problem: ScenarioProblem, in lines: [String]) -> [String] {
        [place(problem.file, problem.mark) + " " + problem.text]
            + CaretLines.lines(lines, at: problem.mark, isColored: isColored)
    }

    /// Returns the last line.
    package func summary(of reports: [ScenarioReport], elapsed: Duration) -> String {
        let failed = reports.count { !$0.hasPassed }
        let checks = reports.reduce(0) { $0 + $1.checks.count }
        let count = "\(reports.count) scenario\(reports.count == 1 ? "" : "s")"
        let result = failed == 0 ? colored("all passed", .green) : colored("\(failed) failed", .red)
        return
            "\(count) with \(checks) expectation\(checks == 1 ? "" : "s"): \(result) in \((elapsed.seconds * 10).rounded() / 10) s"
    }

    private func lines(of check: Check, in report: ScenarioReport) -> [String] {
        let step = check.step.map { "payload \($0): " } ?? ""
        var lines = [place(report.file, check.mark) + " " + step + check.sentence]
        lines += CaretLines.lines(report.lines, at: check.mark, isColored: isColored)
        if let advice = check.advice { lines += remark(advice) }
        return lines
    }

    /// Returns lines about the requests that the origin does not list, if the scenario has failed.
    private func unlisted(in report: ScenarioReport) -> [String] {
        guard !report.hasPassed else { return [] }
        let requests = report.unlisted.flatMap { request in
            let nearest = request.nearest.map { ": the nearest path of origin is \($0.value), line \($0.mark.line)" }
            return remark("\(request.request) is not listed, so it was answered 404\(nearest ?? "")")
        }
        return requests + remark("seed \(report.seed): --seed \(report.seed) repeats all random choices")
    }

    /// Returns a remark about the lines above it, wrapped to the width of the terminal.
    private func remark(_ text: String) -> [String] {
        WrappedText.lines(of: text, after: "     = ", indent: 7, width: width)
    }

    private func place(_ file: String, _ mark: TextMark) -> String {
        let text = "\(file):\(mark.line):\(mark.column)"
        return isColored ? TerminalColor.cyan.bold(text) : text
    }

    private func colored(_ text: String, _ color: TerminalColor) -> String { isColored ? color.bold(text) : text }
}
