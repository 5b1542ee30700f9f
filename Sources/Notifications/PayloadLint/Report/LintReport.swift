package import Base
import NotificationModel

/// The findings as text, as JSON and as a SARIF log.
package struct LintReport: Sendable {
    package let findings: [LintFinding]
    private let fileCount: Int
    /// The number of files that could not be read.
    private let unread: Int

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
        let left = unread == 0 ? "" : "; \(HumanText.counted(unread, "file")) cannot be read"
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

    /// Returns the findings in the format that code hosts and editors import (OASIS, "Static Analysis Results
    /// Interchange Format 2.1.0").
    ///
    /// - Parameter version: The version of this program.
    package func sarif(version: String) -> JSONValue {
        [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
            "runs": [
                [
                    "tool": ["driver": SARIF.driver(version)], "columnKind": "unicodeCodePoints",
                    "invocations": [["executionSuccessful": .bool(unread == 0)]],
                    "results": .array(findings.map(SARIF.result)),
                ]
            ],
        ]
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

/// The parts of a SARIF log.
private enum SARIF {
    static func driver(_ version: String) -> JSONValue {
        [
            "name": "appgroupd lint", "version": .string(version), "semanticVersion": .string(version),
            "rules": .array(LintRule.all.map(descriptor)),
        ]
    }

    private static func descriptor(_ rule: LintRule) -> JSONValue {
        [
            "id": .string(rule.id), "shortDescription": ["text": .string(rule.meaning)],
            "help": ["text": .string(rule.source)], "helpUri": .string("docs/use/lint.md#\(rule.id)"),
            "defaultConfiguration": ["level": .string(rule.severity.rawValue)],
        ]
    }

    private static let ruleIndexes = [String: Int](uniqueKeysWithValues: LintRule.all.enumerated().map { ($1.id, $0) })

    static func result(_ finding: LintFinding) -> JSONValue {
        [
            "ruleId": .string(finding.rule), "ruleIndex": .number(JSONNumber(ruleIndexes[finding.rule] ?? -1)),
            "level": .string(finding.severity.rawValue),
            "message": [
                "text": .string("\(VisibleText.sentence(finding.message)) \(VisibleText.sentence(finding.fix))")
            ],
            "locations": [
                [
                    "physicalLocation": [
                        "artifactLocation": ["uri": .string(uri(of: finding.file))],
                        "region": [
                            "startLine": .number(JSONNumber(finding.line)),
                            "startColumn": .number(JSONNumber(finding.column)),
                        ],
                    ],
                    "logicalLocations": [["fullyQualifiedName": .string(finding.pointer), "kind": "value"]],
                ]
            ],
        ]
    }

    /// Returns a URI reference (RFC 3986 §4.1) to a file. A relative path stays relative. A colon is percent-encoded,
    /// so a first segment with a colon is not read as a scheme.
    private static func uri(of file: String) -> String {
        let path = PercentEncoding.text(of: file, keeping: "/")
        return file.hasPrefix("/") ? "file://" + path : path
    }
}
