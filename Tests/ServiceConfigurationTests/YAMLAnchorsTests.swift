import NotificationModel
import TestSupport
import Testing

@testable import ServiceConfiguration

@Suite struct YAMLAnchorsTests {
    private static let pieces = [
        "a", "b", " ", "  ", "\n", "\n ", "\n  ", "- ", "? ", ": ", ":", ", ", ",", "[", "]", "{", "}", "'", "\"",
        "&x ",
        "&y [x]", "*x", " #", "\\", "!t ", "!<a> ", "|\n", "---\n", "--- ", "-", "...\n", "?", "&z", "%", "\t", "\r\n",
        "''",
    ]

    /// If Yams accepted an anchor that this search does not find, a bomb could be expanded.
    @Test func `the search finds each anchor that Yams finds`() throws {
        var generator = SeededGenerator(seed: 8)
        var accepted = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...24, using: &generator)
            let text = (0..<count).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
            guard YAMLAnchors.firstLine(in: text) == nil else { continue }
            do throws(ValueErrors) {
                _ = try YAMLText.parse(text) { .file(path: "x", line: $0) }
                accepted += 1
            } catch {
                #expect(!error.all.contains { $0.text == YAMLAnchors.problem }, "\(text.debugDescription)")
            }
        }
        // The texts include enough that Yams accepts.
        #expect(accepted > 500)
    }
}
