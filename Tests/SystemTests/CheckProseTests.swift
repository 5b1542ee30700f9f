import Foundation
import LinuxIO
import TestSupport
import Testing

/// Tests of the script `scripts/check-prose` with small files.
@Suite(.timeLimit(.minutes(1))) struct CheckProseTests {
    private func check(_ text: String, as name: String) throws -> (status: Int32, report: String) {
        let directory = try TemporaryDirectory()
        try FileSystem.makeDirectory("\(directory.path)/Tests")
        let path = "\(directory.path)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        let run = try ScriptRun("check-prose", [path])
        return (run.status, run.report.replacing(path, with: name))
    }

    @Test(arguments: [
        ("a.swift", "/// Of the body.\n", "a.swift:1: a sentence begins with \"Of\""),
        ("a.swift", "let a = 1\n    // The reader stops. What is left\n    // is read anew.\n", "begins with \"What\""),
        ("a.swift", "// It is\n// told.\n// It is told.\n", "a.swift:1: \"is told\""),
        ("Tests/a.swift", "@Test func `what is wrong is refused`() {}\n", "begins with \"What\""),
        ("a.swift", "/// The bytes are read if somebody waits.\n", "\"somebody\""),
        ("a.swift", "/// The number of callers who wait.\n", "\"who\""),
        ("a.swift", "/// The call removes what was stored.\n", "\"what was\""),
        ("a.swift", "/// The sums lie behind the frames.\n", "\"behind\""),
        ("a.swift", "let a = 1\n// The body.\n", "\"The body.\": say why"),
        ("a.md", "# Title\n\n* Whoever reads\n", "a.md:3: a sentence begins with \"Whoever\""),
        ("a.md", "| key | Who waits |\n", "begins with \"Who\""),
    ])
    func `a sentence with a hidden subject is reported with its line`(name: String, text: String, found: String) throws
    {
        let (status, report) = try check(text, as: name)
        #expect(status == 1)
        #expect(report.contains(found), "\(report)")
    }

    @Test(arguments: [
        ("a.swift", "/// Returns the rest of the body.\nlet of = \"What is told\"\n"),
        ("a.swift", "/// The constant `What` has the value \"so many\".\n"),
        ("a.swift", "// 4 KiB\n\n// RFC 9110.\n\n// MARK: Parsing\n"),
        ("a.swift", "/// Whether the daemon runs behind a reverse proxy.\n"),
        ("a.md", "A receiver who unsubscribed gets nothing.\n"),
        ("a.md", "```\nWhat is told\n```\n\nThe program reads it.\n"),
    ])
    func `code, quotations and plain sentences are not reported`(name: String, text: String) throws {
        let (status, report) = try check(text, as: name)
        #expect(status == 0, "\(report)")
        #expect(report.isEmpty)
    }

    @Test func `an unreadable file ends the script with status 2`() throws {
        #expect(try ScriptRun("check-prose", ["/nonexistent.md"]).status == 2)
    }
}
