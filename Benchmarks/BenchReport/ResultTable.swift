/// The results of a benchmark, as a table in Markdown.
///
/// `BenchReport` has the parts of a report. A benchmark adds one row of cells for each comparison, with the medians of
/// both sides, the ratio and the target. The result is text for the terminal and for `Benchmarks/RESULTS.md`.
/// `BenchEnvironment` adds the facts about the machine.
///
/// `BenchReport` measures nothing, and refuses no value: a missing value is shown as a dash. All types are plain
/// values, which start no threads and have no work to cancel.
package struct ResultTable: Sendable {
    private let head: [String]
    /// The rows, each with its cells.
    package var lines: [[String]] = []

    package init(
        head: [String] = ["what", "ours", "peer", "ratio or value: median (least–most)", "target", "met"]
    ) {
        self.head = head
    }

    package var text: String {
        ([head, head.map { _ in "---" }] + lines).map { "| " + $0.joined(separator: " | ") + " |" }
            .joined(separator: "\n") + "\n"
    }
}
