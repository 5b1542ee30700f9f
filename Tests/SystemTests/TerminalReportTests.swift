import FeatureKit
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import PayloadLint
@testable import StoreTools
@testable import appgroupd

/// Tests of reports in the form for a terminal: within its width, and with colors.
@Suite struct TerminalReportTests {
    private static func plain(_ line: String) -> String { line.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") }

    // MARK: lint

    private static let long = String(repeating: "long ", count: 60)
    private static let findings = [
        LintFinding(
            file: "push.json", rule: "misspelt-key", severity: .error, pointer: "/aps/mutableContent",
            message: "\"mutableContent\" is not a key of aps; did you mean mutable-content? \(long)",
            fix: "Rename it to mutable-content \(long)", line: 2, column: 4),
        LintFinding(
            file: "push.json", rule: "plain-http", severity: .warning, pointer: "/image", message: "plain http",
            fix: "Write https", line: 3, column: 203),
    ]
    private static let file = LintFile(
        name: "push.json",
        bytes: Array("{\n\t日\"mutableContent\": 1,\n\(String(repeating: "é", count: 202))\"image\": \(long)\n}\n".utf8))

    private static func lint(width: Int, isColored: Bool = false) -> [String] {
        let report = LintReport(findings, fileCount: 1)
        return LintTerminalReport(report: report, files: ["push.json": file], width: width, isColored: isColored).lines
    }

    @Test(arguments: [40, 80, 132], [true, false]) func `no line of lint is wider than the terminal`(
        _ width: Int, _ isColored: Bool
    ) {
        let lines = Self.lint(width: width, isColored: isColored).map(Self.plain)
        #expect(lines.allSatisfy { TerminalText.columns(of: $0) <= width }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("push.json:2:4: error: ") })
    }

    @Test func `lint shows the line of a finding, with a caret below the mistake`() throws {
        let lines = Self.lint(width: 80)
        let carets = lines.indices.filter { lines[$0].trimmingCharacters(in: .whitespaces) == "^" }
        #expect(carets.count == 2)
        let first = try #require(carets.first)
        #expect(lines[first - 1] == "     日\"mutableContent\": 1,")
        // The character before the place has a width of two columns.
        #expect(lines[first] == "        ^", "\(lines[first])")
        let second = try #require(carets.last)
        let excerpt = lines[second - 1]
        #expect(excerpt.hasPrefix("    …é") && excerpt.hasSuffix("…"))
        let place = excerpt.index(excerpt.startIndex, offsetBy: lines[second].count - 1)
        #expect(excerpt[place...].hasPrefix("\"image\""))
    }

    @Test func `the severities of lint have colors, and the text without colors does not change`() {
        let colored = Self.lint(width: 80, isColored: true)
        #expect(colored.contains { $0.contains("\u{1B}[1;31merror\u{1B}[0m:") })
        #expect(colored.contains { $0.contains("\u{1B}[1;33mwarning\u{1B}[0m:") })
        #expect(colored.map(Self.plain) == Self.lint(width: 80))
    }

    // MARK: Tables

    private static let digest = String(repeating: "0123456789abcdef", count: 4)

    @Test func `a long path in a table is shortened on a terminal, and is complete in other outputs`() throws {
        let group = try #require(AppGroupName("group.com.example.app"))
        let file = ListedFile(
            group: group, digest: Self.digest, path: "media/01/\(Self.digest).jpg", mimeType: "image/jpeg",
            bytes: 1_000,
            usedAt: .now, leasedUntil: .distantPast, pinnedUntil: Date(timeIntervalSince1970: 4_000_000_000))
        func lines(_ width: Int?, _ isColored: Bool = false) -> [String] {
            StoreListingTable(width: width, isColored: isColored, now: .now).lines([file])
        }
        #expect(lines(nil).count == 2 && lines(nil)[1].contains("\(Self.digest).jpg (pinned until 2096-"))
        let narrow = lines(80)
        #expect(narrow.allSatisfy { $0.count <= 80 }, "\(narrow)")
        #expect(narrow.contains { $0.contains("media/01/0123456789ab") })
        #expect(lines(80, true).map(Self.plain) == narrow)
        #expect(lines(80, true).contains { $0.contains("\u{1B}[1;32mpinned\u{1B}[0m") })
        #expect(lines(200) == lines(nil))
    }

    @Test func `a path is shortened only within its digest`() {
        let path = "media/01/\(Self.digest).jpg"
        #expect(TerminalText.path(path, width: nil) == path)
        #expect(TerminalText.path(path, width: 77) == path)
        let short = TerminalText.path(path, width: 40)
        #expect(short == "media/01/\(Self.digest.prefix(26))….jpg" && short.count == 40)
        #expect(TerminalText.path(path, width: 5) == "media/01/0123456789ab….jpg")
        #expect(TerminalText.path("var/demo/a-very-long-name.json", width: 10) == "var/demo/a-very-long-name.json")
    }

    @Test func `a last cell that is too long is written on separate lines`() {
        var table = TextTable(["response", "url"])
        table.add(["1", "https://a.example/\(String(repeating: "z", count: 100))"])
        let lines = table.hangingLines(width: 80)
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined().filter { $0 == "z" }.count == 100)
        #expect(lines.first == "response  url" && lines[1] == "1")
        #expect(lines[2].hasPrefix("    https://a.example/z"))
    }
}
