package import JSON
import NotificationModel

/// Findings as people and programs read them.
package struct LintReport: Sendable {
    package let findings: [LintFinding]
    private let fileCount: Int
    /// Files that cannot be read.
    private let unread: Int
    private var isComplete: Bool { unread == 0 }

    /// - Parameters:
    ///   - fileCount: of the files that were read.
    ///   - unread: number of files that were left out because they cannot be read.
    package init(_ findings: [LintFinding], fileCount: Int, unread: Int = 0) {
        self.findings = findings
        self.fileCount = fileCount
        self.unread = unread
    }

    /// The form that compilers have: `FILE:LINE:COLUMN: error: message [rule]`, and below it what to do. The last line
    /// is the sum.
    ///
    /// - Parameter isColored: whether the severities have the colours of a terminal.
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

    /// The last line of a text.
    package var summary: String {
        let counts = LintSeverity.allCases.reversed().map { severity in
            HumanText.counted(findings.count { $0.severity == severity }, severity.rawValue)
        }
        let left = isComplete ? "" : "; \(HumanText.counted(unread, "file")) cannot be read"
        return "\(counts.joined(separator: ", ")) in \(HumanText.counted(fileCount, "file"))\(left)"
    }

    /// An array with an object for each finding.
    package var json: JSONValue { .array(findings.map(Self.json)) }

    private static func json(_ finding: LintFinding) -> JSONValue {
        [
            "file": .string(finding.file), "line": .number(JSONNumber(finding.line)),
            "column": .number(JSONNumber(finding.column)), "rule": .string(finding.rule),
            "severity": .string(finding.severity.rawValue), "pointer": .string(finding.pointer),
            "message": .string(finding.message), "fix": .string(finding.fix),
        ]
    }

    /// A log of SARIF 2.1.0.
    ///
    /// - Parameter version: of this program.
    package func sarif(version: String) -> JSONValue {
        SARIFLog(findings: findings, version: version, isComplete: isComplete).json
    }
}

extension LintSeverity {
    /// Its name in its colour.
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
