/// A table of the lines of a file, which gives the line and the column of an offset.
struct LineTable {
    private let bytes: [UInt8]
    /// The offsets at which the lines begin.
    private let starts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        starts = [0] + bytes.indices.lazy.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }

    /// Returns the line and the column of an offset, both from 1. A column is one Unicode scalar. A byte order mark
    /// does not count as a column.
    func position(of offset: Int) -> (line: Int, column: Int) {
        let offset = min(max(offset, 0), bytes.count)
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        let hasMark = low == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF])
        // Continuation bytes of UTF-8 begin with the bits 10, and are not counted.
        let before = bytes[starts[low]..<offset].count { $0 & 0xC0 != 0x80 }
        return (low + 1, max(1, before + 1 - (hasMark ? 1 : 0)))
    }

    /// Returns the text of a line without its line ending and without a byte order mark.
    func text(of line: Int) -> String {
        let (start, end) = (start(of: line), start(of: line + 1))
        let hasMark = line == 1 && bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let text = bytes[start..<end].dropFirst(hasMark ? 3 : 0)
        return String(decoding: text.reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed(), as: UTF8.self)
    }

    /// Returns the offset at which a line begins. Lines are numbered from 1.
    func start(of line: Int) -> Int { starts.indices.contains(line - 1) ? starts[line - 1] : bytes.count }
}

/// The position of one JSON value in the bytes of a file, with the positions of all values inside it.
struct SourceOutline {
    /// The offset of the key if the value is a member of an object, otherwise the offset of the value.
    var start: Int
    let valueStart: Int
    /// The offset after the last byte of the value.
    var end: Int
    /// The members of an object. For a repeated key, the last member is used, because the parser uses its value, too.
    var members: [String: SourceOutline] = [:]
    var elements: [SourceOutline] = []

    init(start: Int, end: Int) {
        self.start = start
        valueStart = start
        self.end = end
    }
}
