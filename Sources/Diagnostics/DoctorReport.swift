import CommandSupport
import JSON
import NotificationModel

/// A report of the findings, as text or as JSON.
package struct DoctorReport {
    let findings: [Finding]

    private var worst: Finding.Status {
        let statuses = findings.map(\.status)
        return statuses.contains(.failed) ? .failed : statuses.contains(.warning) ? .warning : .ok
    }

    package var hasFailure: Bool { worst == .failed }

    /// The report as one JSON object on one line.
    package var json: String {
        JSONWriter.text(of: ["status": .string(worst.rawValue), "checks": .array(findings.map(\.json))])
    }

    /// Returns a table with symbols for a terminal. Without a terminal, each finding is one line.
    ///
    /// - Parameter width: The columns of the terminal. The value is `nil` if there is no terminal.
    /// - Parameter isColored: Whether the terminal shows colors.
    package func lines(width: Int?, isColored: Bool) -> [String] {
        width.map { table(width: $0, isColored: isColored) } ?? findings.flatMap(Self.plainLines) + [summary]
    }

    private static func plainLines(of finding: Finding) -> [String] {
        let line = "\(finding.status.rawValue): \(finding.area): \(finding.name): \(finding.found)"
        return [line] + (finding.remedy.map { ["  fix: \($0)"] } ?? [])
    }

    private func table(width: Int, isColored: Bool) -> [String] {
        let nameWidth = findings.map(\.name.count).max() ?? 0
        var lines: [String] = []
        var area = ""
        for finding in findings {
            if finding.area != area { lines.append((area.isEmpty ? "" : "\n") + finding.area) }
            area = finding.area
            let name = finding.name + String(repeating: " ", count: nameWidth - finding.name.count)
            let symbol = Self.symbol(of: finding.status)
            let shown = isColored ? Self.color(of: finding.status).bold(symbol) : symbol
            lines += WrappedText.lines(
                of: finding.found, after: "  \(shown)  \(name)  ", indent: symbol.count + nameWidth + 6, width: width)
            if let remedy = finding.remedy {
                let indent = symbol.count + 4
                let head = String(repeating: " ", count: indent) + "→ "
                lines += WrappedText.lines(of: remedy, after: head, indent: indent + 2, width: width)
            }
        }
        return lines + ["", summary]
    }

    /// Returns the symbol and the word of a status. Not every terminal, font or reader can distinguish the symbols.
    private static func symbol(of status: Finding.Status) -> String {
        switch status {
        case .ok: "✓ ok     "
        case .warning: "! warning"
        case .failed: "✗ failed "
        }
    }

    private static func color(of status: Finding.Status) -> TerminalColor {
        switch status {
        case .ok: .green
        case .warning: .yellow
        case .failed: .red
        }
    }

    private var summary: String {
        let failed = findings.count { $0.status == .failed }
        let warnings = findings.count { $0.status == .warning }
        let rest = findings.count - failed - warnings
        return "\(rest) ok, \(warnings) \(warnings == 1 ? "warning" : "warnings"), \(failed) failed"
    }
}
