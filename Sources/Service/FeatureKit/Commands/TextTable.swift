import Base

/// A table on a terminal. A column is as wide as its widest cell, and two blanks separate the columns.
package struct TextTable {
    private var rows: [[String]]

    package init(_ head: [String]) { rows = [head] }

    package mutating func add(_ cells: [String]) { rows.append(cells) }

    package var lines: [String] { lines(width: nil) }

    /// - Parameter width: The columns of the terminal, to which the last cell is wrapped; `nil` if a row is one line.
    package func lines(width: Int?) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let indent = widths.dropLast().reduce(0) { $0 + $1 + 2 }
        return rows.flatMap { cells in
            let head = zip(cells, widths).dropLast().map { $0.leftAligned(in: $1 + 2) }.joined()
            return WrappedText.lines(of: cells.last ?? "", after: head, indent: indent, width: width)
        }.map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
    }

    /// Returns whether no row is wider than the terminal; `true` if there is no terminal.
    package func fits(_ width: Int?) -> Bool {
        width.map { width in lines.allSatisfy { TerminalText.columns(of: $0) <= width } } ?? true
    }

    /// The number of blanks before the last cell of a row, if this cell is on a separate line.
    package static let hanging = 4

    /// Returns the lines of a table whose last column has long words, such as URLs. If a row is wider than the
    /// terminal, its last cell is on separate lines. A word that is wider than the terminal is cut there.
    package func hangingLines(width: Int) -> [String] {
        let lines = lines
        guard !fits(width) else { return lines }
        let blanks = String(repeating: " ", count: Self.hanging)
        var short = self
        short.rows = rows.map { Array($0.dropLast()) }
        let hanging = zip(short.lines, rows).dropFirst().flatMap { line, cells in
            let last = WrappedText.lines(of: cells.last ?? "", after: blanks, indent: Self.hanging, width: width)
            return [line] + last.flatMap { Self.cut($0, width: width) }
        }
        // The row of the headings always stays one line.
        return lines.prefix(1) + hanging
    }

    private static func cut(_ line: String, width: Int) -> [String] {
        guard line.count > width else { return [line] }
        let blanks = String(repeating: " ", count: hanging)
        return [String(line.prefix(width))] + cut(blanks + line.dropFirst(width), width: width)
    }
}
