import Base
import FeatureKit
import NotificationModel

/// A report of the findings, as text or as JSON.
package struct DoctorReport {
    let findings: [Finding]

    private var worst: Finding.Status {
        let statuses = findings.map(\.answer.status)
        return statuses.contains(.failed) ? .failed : statuses.contains(.warning) ? .warning : .ok
    }

    package var hasFailure: Bool { worst == .failed }

    /// The report as one JSON object on one line.
    package var json: String {
        JSONWriter.text(of: ["status": .string(worst.rawValue), "checks": .array(findings.map(\.json))])
    }

    /// Returns a table with symbols for a terminal of this width. Without a terminal, each finding is one line.
    package func lines(width: Int?, isColored: Bool) -> [String] {
        width.map { table(width: $0, isColored: isColored) } ?? findings.flatMap(Self.plainLines) + [summary]
    }

    private static func plainLines(of finding: Finding) -> [String] {
        let line = "\(finding.answer.status.rawValue): \(finding.area): \(finding.name): \(finding.answer.found)"
        return [line] + (finding.answer.remedy.map { ["  fix: \($0)"] } ?? [])
    }

    private func table(width: Int, isColored: Bool) -> [String] {
        let nameWidth = findings.map(\.name.count).max() ?? 0
        var lines: [String] = []
        var area = ""
        for finding in findings {
            if finding.area != area { lines.append((area.isEmpty ? "" : "\n") + finding.area) }
            area = finding.area
            let (symbol, color) = Self.symbol(of: finding.answer.status)
            let head = "  \(isColored ? color.bold(symbol) : symbol)  \(finding.name.leftAligned(in: nameWidth))  "
            lines += WrappedText.lines(
                of: finding.answer.found, after: head, indent: symbol.count + nameWidth + 6, width: width)
            if let remedy = finding.answer.remedy {
                let indent = symbol.count + 4
                let head = String(repeating: " ", count: indent) + "→ "
                lines += WrappedText.lines(of: remedy, after: head, indent: indent + 2, width: width)
            }
        }
        return lines + ["", summary]
    }

    /// Returns the symbol and the word of a status. Not every terminal, font or reader can distinguish the symbols.
    private static func symbol(of status: Finding.Status) -> (text: String, color: TerminalColor) {
        switch status {
        case .ok: ("✓ ok     ", .green)
        case .warning: ("! warning", .yellow)
        case .failed: ("✗ failed ", .red)
        }
    }

    private var summary: String {
        let failed = findings.count { $0.answer.status == .failed }
        let warnings = findings.count { $0.answer.status == .warning }
        let rest = findings.count - failed - warnings
        return "\(rest) ok, \(warnings) \(warnings == 1 ? "warning" : "warnings"), \(failed) failed"
    }
}

/// The result of a check, with the area and the name of the check.
struct Finding: Sendable {
    enum Status: String, Sendable {
        case ok
        case warning
        case failed
    }

    /// The area of the check. Checks of the same area are next to each other in the report.
    let area: String
    /// The name of the check, which is unique in its area. Scripts use it, so it must not change.
    let name: String
    let answer: Answer

    var json: JSONValue {
        [
            "area": .string(area), "name": .string(name), "status": .string(answer.status.rawValue),
            "found": .string(answer.found), "mend": .text(answer.remedy),
        ]
    }
}

/// The result of a check.
struct Answer: Sendable {
    let status: Finding.Status
    let found: String
    /// The correction of the problem; `nil` if there is nothing to correct.
    let remedy: String?

    static func ok(_ found: String) -> Answer { Answer(status: .ok, found: found, remedy: nil) }

    /// Returns the result for a property that works, but is likely to cause problems.
    static func warning(_ found: String, remedy: String) -> Answer {
        Answer(status: .warning, found: found, remedy: remedy)
    }

    /// Returns the result for a property with which the program cannot do its work.
    static func failed(_ found: String, remedy: String) -> Answer {
        Answer(status: .failed, found: found, remedy: remedy)
    }

    /// Returns a warning, or no warning if the property is as it should be.
    static func ok(_ found: String, if isGood: Bool, else remedy: String) -> Answer {
        isGood ? .ok(found) : .warning(found, remedy: remedy)
    }

    /// Returns the correction as a sentence. In error messages, a correction follows a colon instead.
    static func sentence(_ remedy: String) -> String { remedy.prefix(1).uppercased() + remedy.dropFirst() + "." }
}
