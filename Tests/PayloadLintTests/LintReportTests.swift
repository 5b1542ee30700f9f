import Base
import NotificationModel
import PayloadLint
import Testing

/// Tests of the three output formats.
@Suite struct LintReportTests {
    private static let text =
        #"{"aps": {"alert": "x", "mutableContent": 1, "badge": "3"}, "image": "http://a.b/c.webp"}"#
    private static let findings = PayloadLinter(date: Lint.now).lint(
        LintFile(name: "my push.json", bytes: Array(text.utf8)))

    @Test func `the text format has lines in the format of compiler messages`() {
        let lines = LintReport(Self.findings, fileCount: 1).lines(isColored: false)
        #expect(
            lines.first
                == #"my push.json:1:24: error: "mutableContent" is not a key of aps; did you mean mutable-content? [misspelt-key]"#
        )
        #expect(lines[1] == "  fix: Rename it to mutable-content")
        #expect(lines.last == "2 errors, 1 warning, 1 note in 1 file")
        #expect(lines.count == Self.findings.count * 2 + 1)
        #expect(LintReport([], fileCount: 3).lines(isColored: false) == ["0 errors, 0 warnings, 0 notes in 3 files"])
    }

    @Test func `the JSON format is an array of flat objects`() throws {
        let json = try JSONParser.value(of: JSONWriter.text(of: LintReport(Self.findings, fileCount: 1).json))
        let array = try #require(json.array)
        #expect(array.count == 4)
        for object in array {
            #expect(
                object.object?.keys == ["file", "line", "column", "rule", "severity", "pointer", "message", "fix"])
        }
        #expect(array.first?["pointer"] == "/aps/mutableContent")
        #expect(array.first?["severity"] == "error")
        #expect(array.first?["line"] == 1)
        #expect(array.first?["column"] == 24)
        #expect(LintReport([], fileCount: 1).json == [])
    }

    /// The test checks the members that the schema of SARIF 2.1.0 requires, and those that code hosts need to show a
    /// result.
    @Test func `the SARIF format has all members that code hosts need`() throws {
        let log = LintReport(Self.findings, fileCount: 1).sarif(version: "1.2.3")
        #expect(log["version"] == "2.1.0")
        #expect(log["$schema"]?.string?.hasSuffix("sarif-2.1.0.json") == true)
        let run = try #require(log["runs"]?.array?.first)
        let driver = try #require(run["tool"]["driver"])
        #expect(driver["name"]?.string?.isEmpty == false)
        #expect(driver["version"] == "1.2.3")
        #expect(driver["semanticVersion"] == "1.2.3")
        let rules = try #require(driver["rules"]?.array)
        #expect(rules.map { $0["id"]?.string } == LintRule.all.map(\.id))
        for rule in rules {
            #expect(rule["shortDescription"]["text"]?.string?.isEmpty == false)
            #expect(["error", "warning", "note"].contains(rule["defaultConfiguration"]["level"]?.string))
            #expect(rule["helpUri"]?.string == "docs/use/lint.md#\(rule["id"]?.string ?? "")")
        }
        let results = try #require(run["results"]?.array)
        #expect(results.count == Self.findings.count)
        for (result, finding) in zip(results, Self.findings) {
            #expect(result["ruleId"]?.string == finding.rule)
            let index = try #require(result["ruleIndex"]?.integer)
            #expect(rules[index]["id"] == result["ruleId"])
            #expect(result["level"]?.string == finding.severity.rawValue)
            #expect(result["message"]["text"]?.string?.isEmpty == false)
            let location = try #require(result["locations"]?.array?.first)
            let place = try #require(location["physicalLocation"])
            #expect(place["artifactLocation"]["uri"] == "my%20push.json")
            #expect(place["region"]["startLine"]?.integer == finding.line)
            #expect(place["region"]["startColumn"]?.integer == finding.column)
            #expect(location["logicalLocations"]?.array?.first?["fullyQualifiedName"]?.string == finding.pointer)
        }
        #expect(run["columnKind"] == "unicodeCodePoints")
        #expect(run["invocations"]?.array?.first?["executionSuccessful"] == true)
        let partial = LintReport([], fileCount: 1, unread: 1).sarif(version: "1")
        #expect(partial["runs"]?.array?.first?["invocations"]?.array?.first?["executionSuccessful"] == false)
    }

    @Test(arguments: [
        ("/srv/a b.json", "file:///srv/a%20b.json"), ("c:d.json", "c%3Ad.json"), ("50%.json", "50%25.json"),
        ("ä/é.json", "%C3%A4/%C3%A9.json"), ("a/b.json", "a/b.json"),
    ])
    func `a file name is written as a URI in SARIF`(_ name: String, _ uri: String) {
        let findings = Lint.linter.lint(LintFile(name: name, bytes: [0x7B]))
        let log = LintReport(findings, fileCount: 1).sarif(version: "1")
        let result = log["runs"]?.array?.first?["results"]?.array?.first
        let place = result?["locations"]?.array?.first?["physicalLocation"]
        #expect(place["artifactLocation"]["uri"]?.string == uri)
    }

    @Test func `a message that ends in a question mark has no full stop in SARIF`() {
        var finding = Self.findings[0]
        (finding.message, finding.fix) = ("did you mean badge?", "Rename it to badge")
        let log = JSONWriter.text(of: LintReport([finding], fileCount: 1).sarif(version: "1"))
        #expect(log.contains(#""did you mean badge? Rename it to badge.""#))
    }

    @Test func `severities have colors only on a terminal`() {
        let lines = LintReport(Self.findings, fileCount: 1).lines(isColored: true)
        #expect(lines[0].contains("\u{1B}[1;31merror\u{1B}[0m: "))
        #expect(!LintReport(Self.findings, fileCount: 1).lines(isColored: false).joined().contains("\u{1B}"))
    }
}
