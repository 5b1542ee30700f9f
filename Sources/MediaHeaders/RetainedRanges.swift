/// The parts of a file that stay when its metadata goes, in order; neighbours are joined.
///
/// Writing the beginning, the ranges one after the other, and the ending makes a valid file of the same pixels. One range
/// over the whole file without a beginning and an ending means that the copy is byte-identical.
package struct RetainedRanges: Sendable, Equatable {
    /// Most separate ranges of one file: a file that alternates more often between kept and dropped parts is hostile.
    package static let mostRanges = 65_536

    package private(set) var ranges: [Range<Int>] = []
    /// Bytes before the first range, in place of those of the file.
    package private(set) var beginning: [UInt8] = []
    /// What the file lacks at its end.
    package private(set) var ending: [UInt8] = []
    /// The sum of the beginning, all ranges and the ending, in bytes.
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

    /// Removes parts that were kept, and turn out to be none that should be.
    ///
    /// - Parameter parts: In the order of the file. Each lies within a kept range.
    /// - Throws: `excessive` beyond `mostRanges`.
    mutating func leaveOut(_ parts: [Range<Int>]) throws(MediaHeaderError) {
        let before = ranges
        (ranges, byteCount) = ([], beginning.count + ending.count)
        var rest = parts[...]
        for range in before {
            var start = range.lowerBound
            while let part = rest.first, part.upperBound <= range.upperBound {
                rest.removeFirst()
                try keep(start..<part.lowerBound)
                start = part.upperBound
            }
            try keep(start..<range.upperBound)
        }
    }

    /// Begins the file with other bytes than its own.
    mutating func open(with beginning: [UInt8]) {
        byteCount += beginning.count - self.beginning.count
        self.beginning = beginning
    }

    /// Ends the file with bytes that it has not.
    mutating func close(with ending: [UInt8]) {
        byteCount += ending.count - self.ending.count
        self.ending = ending
    }

    /// Whether everything of a file of this many bytes stays as it is.
    package func isWhole(of count: Int) -> Bool {
        ranges.count == 1 && byteCount == count && beginning.isEmpty && ending.isEmpty
    }
}
