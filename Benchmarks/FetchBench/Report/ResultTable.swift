/// What was measured, as a table in Markdown.
struct ResultTable {
    static let head = ["what", "ours", "peer", "ratio or value: median (least–most)", "target", "met"]

    var rows: [ResultRow] = []

    var text: String {
        let lines = [Self.head, Self.head.map { _ in "---" }] + rows.map(\.cells)
        return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n") + "\n"
    }
}
