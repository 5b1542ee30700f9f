/// A table of a terminal: columns as wide as their widest cell, two blanks between them.
struct TextTable {
    private var rows: [[String]]

    init(_ head: [String]) { rows = [head] }

    mutating func add(_ cells: [String]) { rows.append(cells) }

    var lines: [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { cells in
            let line = zip(cells, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
