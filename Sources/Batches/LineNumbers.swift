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
