/// The parts of a file that stay when its metadata is removed, in the order of the file. Adjacent ranges are joined.
///
/// The beginning, all ranges and the ending, written in this order, make a valid file with the same pixels. If one
/// range covers the whole file and there is no beginning or ending, the copy is byte-identical.
package struct RetainedRanges: Sendable, Equatable {
    /// The maximum number of ranges of one file. A file with more separate parts is hostile.
    package static let maxRanges = 65_536

    package private(set) var ranges: [Range<Int>] = []
    /// The bytes that replace the file's own bytes before the first range.
    package private(set) var beginning: [UInt8] = []
    /// The bytes that the file lacks at its end.
    package private(set) var ending: [UInt8] = []
    /// The number of bytes of the beginning, all ranges and the ending.
    package private(set) var byteCount = 0

    package init() {}

    /// Adds a range after the last one.
    ///
    /// - Throws: `excessive` for more than `maxRanges` ranges.
    mutating func keep(_ range: Range<Int>) throws(MediaHeaderError) {
        guard !range.isEmpty else { return }
        byteCount += range.count
        if let last = ranges.last, last.upperBound == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            return
        }
        guard ranges.count < Self.maxRanges else { throw .excessive("separate metadata parts") }
        ranges.append(range)
    }

    /// Removes parts that were added before.
    ///
    /// - Parameter parts: The parts in the order of the file. Each part lies within one of the ranges.
    /// - Throws: `excessive` for more than `maxRanges` ranges.
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

    /// Replaces the bytes before the first range.
    mutating func open(with beginning: [UInt8]) {
        byteCount += beginning.count - self.beginning.count
        self.beginning = beginning
    }

    /// Adds bytes after the last range.
    mutating func close(with ending: [UInt8]) {
        byteCount += ending.count - self.ending.count
        self.ending = ending
    }

    /// Returns whether a file of this many bytes is retained without any change.
    package func isWhole(of count: Int) -> Bool {
        ranges.count == 1 && byteCount == count && beginning.isEmpty && ending.isEmpty
    }
}
