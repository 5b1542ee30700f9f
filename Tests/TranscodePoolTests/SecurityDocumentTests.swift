import Foundation
import Sandbox
import TestSupport
import Testing

/// The tests of the security documents. The documents have to agree with the program, and the tests that they name have
/// to exist.
struct SecurityDocumentTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(Fixtures.project)/\(path)", encoding: .utf8)
    }

    @Test func `the table of allowed system calls lists the system calls of the filter`() throws {
        let rows = try Self.text("docs/operate/security.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
        let wanted = AllowedCall.all.map { call in
            "| `\(call.name)` |\(call.condition.map { " \($0)" } ?? "") | \(call.reason) |"
        }
        #expect(rows.map(String.init) == wanted)
        #expect(try Self.text("docs/operate/security.md").contains("every system call but the \(wanted.count) below"))
    }

    @Test(arguments: ["SECURITY.md", "docs/operate/threat-model.md", "docs/operate/security.md"])
    func `each test suite that a document names exists`(_ document: String) throws {
        let names = try Self.text(document).matches(of: /`(\w+Tests)(?:\/\w+)?`/).map { String($0.output.1) }
        let files = try FileManager.default.subpathsOfDirectory(atPath: Fixtures.project + "/Tests")
        let existing = Set(files.flatMap { $0.split(separator: "/").map { "\($0)".replacing(".swift", with: "") } })
        #expect(names.filter { !existing.contains($0) } == [])
    }
}
