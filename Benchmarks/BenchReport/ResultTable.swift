/// What was measured, as a table in Markdown.
package struct ResultTable: Sendable {
    private let head: [String]
    /// The cells of each.
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
