/// A table of a terminal: columns as wide as their widest cell, two blanks between them.
struct TextTable {
    private var rows: [[String]]

    init(_ head: [String]) { rows = [head] }

    mutating func add(_ cells: [String]) { rows.append(cells) }

    var lines: [String] { lines(width: nil) }

    /// - Parameter width: columns of the terminal, to which the last column is wrapped; `nil`: a row is one line.
    func lines(width: Int?) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let indent = widths.dropLast().reduce(0) { $0 + $1 + 2 }
        return rows.flatMap { cells in
            let head = zip(cells, widths).dropLast().map { cell, width in
                cell + String(repeating: " ", count: width - cell.count + 2)
            }.joined()
            return WrappedText.lines(of: cells.last ?? "", after: head, indent: indent, width: width)
        }.map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
    }
}
