/// The parts of a file that stay when its metadata goes, in order; neighbours are joined.
///
/// Writing the ranges one after the other makes a valid file of the same pixels. One range over the whole file means
/// that nothing would go: the copy is byte-identical.
package struct KeptRanges: Sendable, Equatable {
    /// Most separate ranges of one file: a file that alternates more often between kept and dropped parts is hostile.
    package static let mostRanges = 65_536

    package private(set) var ranges: [Range<Int>] = []
    /// The sum of all ranges, in bytes.
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

    /// Whether everything of a file of this many bytes stays.
    package func isWhole(of count: Int) -> Bool {
        ranges.count == 1 && byteCount == count
    }
}
