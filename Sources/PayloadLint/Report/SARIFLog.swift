import JSON
import NotificationModel
import WebURL

/// The findings in the format that code hosts and editors import (OASIS, "Static Analysis Results Interchange Format
/// 2.1.0").
struct SARIFLog {
    let findings: [LintFinding]
    let version: String
    let isComplete: Bool

    var json: JSONValue {
        [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
            "runs": [
                [
                    "tool": ["driver": driver], "columnKind": "unicodeCodePoints",
                    "invocations": [["executionSuccessful": .bool(isComplete)]],
                    "results": .array(findings.map(result)),
                ]
            ],
        ]
    }

    private var driver: JSONValue {
        [
            "name": "appgroupd lint", "version": .string(version), "semanticVersion": .string(version),
            "rules": .array(LintRule.all.map(Self.descriptor)),
        ]
    }

    private static func descriptor(_ rule: LintRule) -> JSONValue {
        [
            "id": .string(rule.id), "shortDescription": ["text": .string(rule.meaning)],
            "help": ["text": .string(rule.source)], "helpUri": .string("docs/use/lint.md#\(rule.id)"),
            "defaultConfiguration": ["level": .string(rule.severity.rawValue)],
        ]
    }

    private static let ruleIndexes = [String: Int](
        uniqueKeysWithValues: LintRule.all.enumerated().map { ($1.id, $0) })

    private func result(_ finding: LintFinding) -> JSONValue {
        [
            "ruleId": .string(finding.rule), "ruleIndex": .number(JSONNumber(Self.ruleIndexes[finding.rule] ?? -1)),
            "level": .string(finding.severity.rawValue),
            "message": [
                "text": .string("\(VisibleText.sentence(finding.message)) \(VisibleText.sentence(finding.fix))")
            ],
            "locations": [
                [
                    "physicalLocation": [
                        "artifactLocation": ["uri": .string(Self.uri(of: finding.file))],
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
