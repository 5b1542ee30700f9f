package import JSON
import NotificationModel

/// The findings as text, as JSON and as a SARIF log.
package struct LintReport: Sendable {
    package let findings: [LintFinding]
    private let fileCount: Int
    /// The number of files that could not be read.
    private let unread: Int
    private var isComplete: Bool { unread == 0 }

    /// Creates a report about the findings of all files.
    ///
    /// - Parameter fileCount: The number of files that were read.
    /// - Parameter unread: The number of files that were left out because they could not be read.
    package init(_ findings: [LintFinding], fileCount: Int, unread: Int = 0) {
        self.findings = findings
        self.fileCount = fileCount
        self.unread = unread
    }

    /// Returns the findings in the form that compilers use: `FILE:LINE:COLUMN: error: message [rule]`, with the
    /// correction on the next line. The last line is the summary.
    ///
    /// - Parameter isColored: Whether the severities have the colors of a terminal.
    package func lines(isColored: Bool) -> [String] {
        findings.flatMap { finding in
            [
                "\(VisibleText.of(finding.file)):\(finding.line):\(finding.column): "
                    + "\(isColored ? finding.severity.colored : finding.severity.rawValue): "
                    + "\(VisibleText.of(finding.message)) [\(finding.rule)]",
                "  fix: \(VisibleText.of(finding.fix))",
            ]
        } + [summary]
    }

    /// The last line of the text, which counts the findings and the files.
    package var summary: String {
        let counts = LintSeverity.allCases.reversed().map { severity in
            HumanText.counted(findings.count { $0.severity == severity }, severity.rawValue)
        }
        let left = isComplete ? "" : "; \(HumanText.counted(unread, "file")) cannot be read"
        return "\(counts.joined(separator: ", ")) in \(HumanText.counted(fileCount, "file"))\(left)"
    }

    /// The findings as an array of objects.
    package var json: JSONValue { .array(findings.map(Self.json)) }

    private static func json(_ finding: LintFinding) -> JSONValue {
        [
            "file": .string(finding.file), "line": .number(JSONNumber(finding.line)),
            "column": .number(JSONNumber(finding.column)), "rule": .string(finding.rule),
            "severity": .string(finding.severity.rawValue), "pointer": .string(finding.pointer),
            "message": .string(finding.message), "fix": .string(finding.fix),
        ]
    }

    /// Returns the findings as a log in the format SARIF 2.1.0.
    ///
    /// - Parameter version: The version of this program.
    package func sarif(version: String) -> JSONValue {
        SARIFLog(findings: findings, version: version, isComplete: isComplete).json
    }
}

extension LintSeverity {
    /// The name of the severity in its color on a terminal.
    package var colored: String {
        let color: TerminalColor =
            switch self {
            case .error: .red
            case .warning: .yellow
            case .note: .cyan
            }
        return color.bold(rawValue)
    }
}
