import Base
import FoundationEssentials
import PayloadLint

extension FuzzTarget {
    private static let linter = PayloadLinter(date: Date(timeIntervalSince1970: 1_800_000_000))

    /// Checks that each finding of lint has a position in the file, and that the report of the findings can be parsed.
    static func lint(_ bytes: [UInt8]) throws(FuzzFinding) {
        let file = LintFile(name: "payload.json", bytes: bytes)
        let findings = linter.lint(file)
        let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
        for finding in findings {
            try require((1...lines).contains(finding.line), "the line of a finding is one of the file")
            try require((1...bytes.count + 1).contains(finding.column), "the column of a finding is one of the file")
            try require(!finding.message.isEmpty && !finding.fix.isEmpty, "a finding has a message and a fix")
        }
        let report = LintReport(findings, fileCount: 1)
        try requireReadable(report.json, JSONWriter.bytes(of: report.json))
        _ = (report.lines(isColored: true), linter.fetchableMedia(of: [file]))
    }
}
