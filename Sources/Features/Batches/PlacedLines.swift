/// The lines of a file that arrives in pieces, with their places. A line above the longest arrives in parts that overlap,
/// so that the memory is bounded. The lines after the last permitted one count as one line.
struct PlacedLines {
    struct Part {
        /// The number of the line, from 1.
        let number: Int
        /// The offset of the line in the file.
        let start: Int
        /// The number of bytes of the line up to the end of this part, without the line feed.
        let length: Int
        let bytes: [UInt8]
        let isFirst: Bool
        let isLast: Bool

        var isWhole: Bool { isFirst && isLast }
        var isBlank: Bool { bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A } }
    }

    private let maxLength: Int
    /// The number of bytes that a part repeats of the part before.
    private let overlap: Int
    private var buffer: [UInt8] = []
    private var number = 1
    private var start = 0
    private var length = 0
    private var isFirst = true

    init(maxLength: Int, overlap: Int) { (self.maxLength, self.overlap) = (maxLength, overlap) }

    /// Returns the lines whose ends are in the next piece, and a part of a line that is too long.
    mutating func read(_ piece: [UInt8]) -> [Part] {
        var parts: [Part] = []
        var rest = piece[...]
        while number <= BatchLimits.maxLines, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            add(rest[..<end])
            parts.append(endLine())
            rest = rest[(end + 1)...]
        }
        add(rest)
        if buffer.count > maxLength { parts.append(part(isLast: false)) }
        return parts
    }

    /// Returns the line after the last line feed, when no more pieces arrive; `nil` if there is no such line.
    mutating func end() -> Part? { length > 0 ? endLine() : nil }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        buffer += bytes
        length += bytes.count
    }

    private mutating func endLine() -> Part {
        defer {
            (start, number) = (start + length + 1, number + 1)
            (buffer, length, isFirst) = ([], 0, true)
        }
        return part(isLast: true)
    }

    private mutating func part(isLast: Bool) -> Part {
        defer {
            buffer = Array(buffer.suffix(overlap))
            isFirst = false
        }
        return Part(number: number, start: start, length: length, bytes: buffer, isFirst: isFirst, isLast: isLast)
    }
}

/// A set of numbers of lines, from 1. It takes a bit for each line, because a body may have millions of short ones.
struct LineNumbers: Sendable, Equatable {
    private var words: [UInt64] = []

    init() {}

    /// Creates the set of the numbers from 1 to `count`.
    init(upTo count: Int) {
        words = Array(repeating: .max, count: count / 64)
        for number in (words.count * 64 + 1)..<(count + 1) { insert(number) }
    }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    func contains(_ number: Int) -> Bool {
        let index = number - 1
        return index >= 0 && index / 64 < words.count && words[index / 64] & (1 << UInt64(index % 64)) != 0
    }

    mutating func insert(_ number: Int) {
        let index = number - 1
        while words.count <= index / 64 { words.append(0) }
        words[index / 64] |= 1 << UInt64(index % 64)
    }

    mutating func formUnion(_ others: LineNumbers) {
        for (index, word) in others.words.enumerated() {
            if index < words.count { words[index] |= word } else { words.append(word) }
        }
    }
}
