/// Lines and columns of places in a file.
struct LineTable {
    private let bytes: [UInt8]
    /// Where each line begins.
    private let starts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        starts = [0] + bytes.indices.lazy.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }

    /// Both from 1; columns count Unicode scalars. A byte order mark is in front of the first column.
    func position(of offset: Int) -> (line: Int, column: Int) {
        let offset = min(max(offset, 0), bytes.count)
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        let hasMark = low == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF])
        // Bytes that go on with a scalar begin with the bits 10.
        let before = bytes[starts[low]..<offset].count { $0 & 0xC0 != 0x80 }
        return (low + 1, max(1, before + 1 - (hasMark ? 1 : 0)))
    }

    /// Returns the text of a line from 1, without its end and without a byte order mark.
    func text(of line: Int) -> String {
        let (start, end) = (start(of: line), start(of: line + 1))
        let hasMark = line == 1 && bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let text = bytes[start..<end].dropFirst(hasMark ? 3 : 0)
        return String(decoding: text.reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed(), as: UTF8.self)
    }

    /// Where a line from 1 begins.
    func start(of line: Int) -> Int { starts.indices.contains(line - 1) ? starts[line - 1] : bytes.count }
}

/// Where the values of one JSON text stand in its bytes.
struct SourceOutline {
    /// Of the key where it is a member, else of the value.
    var start: Int
    /// Of the value.
    let valueStart: Int
    /// Behind the value.
    var end: Int
    /// Of an object; of a repeated key the last one, which is the one that counts.
    var members: [String: SourceOutline] = [:]
    /// Of an array.
    var elements: [SourceOutline] = []

    init(start: Int, end: Int) {
        self.start = start
        valueStart = start
        self.end = end
    }
}
