import Foundation
import NotificationModel
import PayloadLint
import TestSupport
import Testing

/// Tests that the samples of all providers have only the expected findings.
@Suite struct SampleTests {
    private static let names =
        (try? FileManager.default.contentsOfDirectory(atPath: Fixtures.directory + "/payloads"))?.sorted()
        .filter { $0.hasSuffix(".json") && $0 != "EXPECTED.json" } ?? []

    @Test func `the directory of samples has more than 20 payloads`() { #expect(Self.names.count > 20) }

    @Test(arguments: names) func `no sample has a finding with the severity error or warning`(name: String) throws {
        let file = LintFile(name: name, bytes: try Fixtures.bytes("payloads/\(name)"))
        for finding in Lint.linter.lint(file) {
            #expect(finding.severity == .note, "\(finding.rule) at \(finding.pointer): \(finding.message)")
        }
    }

    @Test(arguments: names) func `each sample has exactly the expected notes`(name: String) throws {
        let file = LintFile(name: name, bytes: try Fixtures.bytes("payloads/\(name)"))
        let expected = [
            "apns-full.json": ["critical-sound"], "matrix-event-id-only.json": ["background-too"],
            "mindbox.json": ["background-too"], "pinpoint.json": ["background-too"],
            "native.json": ["format-not-shown", "format-not-shown"],
        ]
        #expect(Lint.linter.lint(file).map(\.rule) == expected[name] ?? [])
    }
}
