/// What was measured, as a table in Markdown.
package struct ResultTable {
    private static let head = ["what", "ours", "peer", "ratio or value: median (least–most)", "target", "met"]

    package var rows: [ResultRow] = []

    package init() {}

    package var text: String {
        let lines = [Self.head, Self.head.map { _ in "---" }] + rows.map(\.cells)
        return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n") + "\n"
    }
}
