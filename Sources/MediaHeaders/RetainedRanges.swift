/// The parts of a file that stay when its metadata goes, in order; neighbours are joined.
///
/// Writing the ranges one after the other, and the ending behind them, makes a valid file of the same pixels. One range
/// over the whole file and no ending mean that nothing would change: the copy is byte-identical.
package struct RetainedRanges: Sendable, Equatable {
    /// Most separate ranges of one file: a file that alternates more often between kept and dropped parts is hostile.
    package static let mostRanges = 65_536

    package private(set) var ranges: [Range<Int>] = []
    /// What the file lacks at its end.
    package private(set) var ending: [UInt8] = []
    /// The sum of all ranges and the ending, in bytes.
    package private(set) var byteCount = 0

    package init() {}

    /// Adds a range behind the last one.
    ///
    /// - Throws: `excessive` beyond `mostRanges`.
    mutating func keep(_ range: Range<Int>) throws(MediaHeaderError) {
        guard !range.isEmpty else { return }
        byteCount += range.count
        if let last = ranges.last, last.upperBound == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            return
        }
        guard ranges.count < Self.mostRanges else { throw .excessive("separate metadata parts") }
        ranges.append(range)
    }

    /// Takes back a range that was kept, and turns out to be none that should be.
    ///
    /// - Throws: `excessive` beyond `mostRanges`.
    mutating func leaveOut(_ range: Range<Int>) throws(MediaHeaderError) {
        let before = ranges
        (ranges, byteCount) = ([], ending.count)
        for kept in before {
            try keep(kept.lowerBound..<min(kept.upperBound, max(kept.lowerBound, range.lowerBound)))
            try keep(max(kept.lowerBound, min(kept.upperBound, range.upperBound))..<kept.upperBound)
        }
    }

    /// Ends the file with bytes that it has not.
    mutating func close(with ending: [UInt8]) {
        byteCount += ending.count - self.ending.count
        self.ending = ending
    }

    /// Whether everything of a file of this many bytes stays as it is.
    package func isWhole(of count: Int) -> Bool {
        ranges.count == 1 && byteCount == count && ending.isEmpty
    }
}
