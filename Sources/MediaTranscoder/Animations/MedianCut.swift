/// The choice of a palette from counted colors (Heckbert, 1982). The group of boxes with the largest weight is cut at
/// its median until there are enough groups. The weight grows with a group's pixels and its range of levels.
enum MedianCut {
    static func colors(of histogram: ColorHistogram, most: Int) -> [UInt32] {
        let used = histogram.counts.indices.filter { histogram.counts[$0] > 0 }
        guard !used.isEmpty else { return [0] }
        var groups = [Group(used, histogram.counts)]
        while groups.count < most, let widest = groups.indices.max(by: { groups[$0].weight < groups[$1].weight }),
            groups[widest].weight > 0
        {
            let (low, high) = groups[widest].halves(histogram.counts)
            groups[widest] = low
            groups.append(high)
        }
        return groups.map { $0.mean(histogram) }
    }

    /// Returns the level of a box in one channel: axis 0 is red, 1 green and 2 blue.
    private static func level(_ box: Int, _ axis: Int) -> Int { box >> (10 - 5 * axis) & 31 }

    private struct Group {
        private let boxes: [Int]
        private let axis: Int
        /// The priority for the next cut; 0 for a group that cannot be cut.
        let weight: Double

        init(_ boxes: [Int], _ counts: [UInt32]) {
            self.boxes = boxes
            let ranges = (0..<3).map { axis in
                let levels = boxes.lazy.map { MedianCut.level($0, axis) }
                return (levels.max() ?? 0) - (levels.min() ?? 0)
            }
            axis = (0..<3).max { ranges[$0] < ranges[$1] } ?? 0
            let pixels = boxes.reduce(0.0) { $0 + Double(counts[$1]) }
            // The square root reserves some palette colors for small areas with rare colors.
            weight = boxes.count > 1 ? pixels.squareRoot() * Double(ranges[axis]) : 0
        }

        func halves(_ counts: [UInt32]) -> (Group, Group) {
            let sorted = boxes.sorted { MedianCut.level($0, axis) < MedianCut.level($1, axis) }
            let half = sorted.reduce(0.0) { $0 + Double(counts[$1]) } / 2
            var (place, sum) = (0, 0.0)
            while place < sorted.count - 1, place == 0 || sum + Double(counts[sorted[place]]) <= half {
                sum += Double(counts[sorted[place]])
                place += 1
            }
            return (Group(Array(sorted[..<place]), counts), Group(Array(sorted[place...]), counts))
        }

        func mean(_ histogram: ColorHistogram) -> UInt32 {
            var (count, sums) = (UInt64(0), [UInt64](repeating: 0, count: 3))
            for box in boxes {
                count += UInt64(histogram.counts[box])
                for axis in 0..<3 { sums[axis] += histogram.sums[box * 3 + axis] }
            }
            return sums.reduce(0) { $0 << 8 | UInt32(min(255, ($1 + count / 2) / max(1, count))) }
        }
    }
}
