import NotificationModel
import TestSupport
import Testing

@testable import ServiceConfiguration

@Suite struct YAMLMarkupTests {
    private static let pieces = [
        "a", "b", " ", "  ", "\n", "\n ", "\n  ", "- ", "? ", ": ", ":", ", ", ",", "[", "]", "{", "}", "'", "\"",
        "&x ",
        "&y [x]", "*x", " #", "\\", "!t ", "!<a> ", "|\n", "---\n", "--- ", "-", "...\n", "?", "&z", "%", "\t", "\r\n",
        "''",
    ]

    /// What Yams takes for an anchor, the scanner has seen: else a bomb would be expanded.
    @Test func `no anchor that Yams knows escapes the scanner`() throws {
        var generator = SeededGenerator(seed: 8)
        var accepted = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...24, using: &generator)
            let text = (0..<count).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
            guard YAMLMarkup.find(in: text) == nil else { continue }
            do throws(ValueErrors) {
                _ = try YAMLText.parse(text) { .file(path: "x", line: $0) }
                accepted += 1
            } catch {
                #expect(!error.all.contains { $0.text == YAMLMarkup.aliasProblem }, "\(text.debugDescription)")
            }
        }
        // Texts that Yams takes are among them.
        #expect(accepted > 500)
    }
}
