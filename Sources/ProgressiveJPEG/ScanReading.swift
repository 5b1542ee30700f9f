import MediaHeaders

/// What has been read of a progressive JPEG's scans: the tables that hold, and the lowest coefficients.
///
/// Each step says whether it could be done: where not, the picture is another decoder's.
struct ScanReading {
    let planes: [BlockPlane]
    /// Of all planes, as coded: before they are multiplied by the quantisation's steps.
    private(set) var coefficients: [Int16]
    /// By number; for means and for details.
    private var meanTables = [HuffmanTable?](repeating: nil, count: 4)
    private var detailTables = [HuffmanTable?](repeating: nil, count: 4)
    /// By number: the steps of the coefficients 0, 1, 2 and 4 in zigzag order.
    private var steps = [[Int]?](repeating: nil, count: 4)
    /// Units of a scan between two restart markers; 0 for none.
    private var restartInterval = 0
    private var hasScan = false

    init(_ header: JPEGHeader, side: Int) {
        planes = header.components.reduce(into: []) { planes, component in
            planes.append(BlockPlane(component, of: header, side: side, start: planes.last?.end ?? 0))
        }
        coefficients = [Int16](repeating: 0, count: planes.last?.end ?? 0)
    }

    func steps(of component: JPEGHeader.Component) -> [Int]? {
        steps.indices.contains(component.quantizationTable) ? steps[component.quantizationTable] : nil
    }

    /// B.2.4.2.
    mutating func noteHuffmanTables(_ body: Span<UInt8>) -> Bool {
        var offset = 0
        while offset < body.count {
            guard offset + 17 <= body.count, body[offset] >> 4 <= 1, body[offset] & 15 <= 3 else { return false }
            let counts = (1...16).map { Int(body[offset + $0]) }
            let first = offset + 17
            let end = first + counts.reduce(0, +)
            guard end <= body.count,
                let table = HuffmanTable(counts: counts, symbols: (first..<end).map { body[$0] })
            else { return false }
            let number = Int(body[offset] & 15)
            if body[offset] >> 4 == 0 { meanTables[number] = table } else { detailTables[number] = table }
            offset = end
        }
        return true
    }

    /// B.2.4.1. All stand before the first scan: of one that changes between scans, decoders differ.
    mutating func noteQuantization(_ body: Span<UInt8>) -> Bool {
        var offset = 0
        while offset < body.count {
            let isWide = body[offset] >> 4 == 1
            let end = offset + (isWide ? 129 : 65)
            guard !hasScan, body[offset] >> 4 <= 1, body[offset] & 15 <= 3, end <= body.count else { return false }
            let first = offset + 1
            steps[Int(body[offset] & 15)] = [0, 1, 2, 4].map {
                isWide ? Int(body[first + 2 * $0]) << 8 | Int(body[first + 2 * $0 + 1]) : Int(body[first + $0])
            }
            offset = end
        }
        return true
    }

    /// B.2.4.4.
    mutating func noteRestartInterval(_ body: Span<UInt8>) -> Bool {
        guard body.count == 2 else { return false }
        restartInterval = Int(body[0]) << 8 | Int(body[1])
        return true
    }

    /// - Parameter range: where the scan's data stands, within the bytes.
    mutating func read(_ head: ScanHead, from bytes: Span<UInt8>, at range: Range<Int>) -> Bool {
        hasScan = true
        guard head.components.allSatisfy(planes.indices.contains) else { return false }
        if head.spectrum.upperBound == 0 {
            return head.isRefinement ? refineMeans(head, bytes, range) : readMeans(head, bytes, range)
        }
        guard planes[0].side > 1, head.spectrum.lowerBound <= 4 else { return true }
        // One more bit of a detail stands between those of its neighbours, which are not kept.
        return !head.isRefinement && readDetails(head, bytes, range)
    }

    /// G.1.2.1: what each block's mean differs from the one before.
    private mutating func readMeans(_ head: ScanHead, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let tables = head.meanTables.compactMap { meanTables.indices.contains($0) ? meanTables[$0] : nil }
        guard tables.count == head.components.count else { return false }
        var means = [Int](repeating: 0, count: tables.count)
        return forEachBlock(
            head, bytes, range, restart: { for index in means.indices { means[index] = 0 } },
            { bits, index, block, coefficients in
                guard let size = bits.symbol(tables[index]), size <= 15 else { return false }
                means[index] &+= bits.number(size)
                coefficients[block] = Int16(truncatingIfNeeded: means[index] << head.missingBits)
                return true
            })
    }

    /// One more bit of each mean.
    private mutating func refineMeans(_ head: ScanHead, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        forEachBlock(
            head, bytes, range, restart: {},
            { bits, _, block, coefficients in
                coefficients[block] |= Int16(bits.take(1) << head.missingBits)
                return true
            })
    }

    /// G.1.2.2: of one component, runs of zeros and what ends them, and runs of blocks that hold no more.
    private mutating func readDetails(_ head: ScanHead, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard detailTables.indices.contains(head.detailTables[0]), let table = detailTables[head.detailTables[0]] else {
            return false
        }
        var emptyBlocks = 0
        let (first, last, missingBits) = (head.spectrum.lowerBound, head.spectrum.upperBound, head.missingBits)
        return forEachBlock(
            head, bytes, range, restart: { emptyBlocks = 0 },
            { bits, _, block, coefficients in
                if emptyBlocks > 0 {
                    emptyBlocks -= 1
                    return true
                }
                var place = first
                while place <= last {
                    bits.fill(bytes)
                    guard let symbol = bits.symbol(table) else { return false }
                    let (run, size) = (symbol >> 4, symbol & 15)
                    if size > 0 {
                        place += run
                        let value = bits.number(size)
                        guard place <= last else { return false }
                        // Of the zigzag order 1, 2 and 4 are kept.
                        if place <= 4, place != 3 {
                            coefficients[block + min(place, 3)] = Int16(truncatingIfNeeded: value << missingBits)
                        }
                        place += 1
                    } else if run == 15 {
                        place += 16
                    } else {
                        emptyBlocks = run == 0 ? 0 : 1 << run - 1 + bits.take(run)
                        break
                    }
                }
                return true
            })
    }

    /// Visits the blocks of a scan in its order (A.2), 32 bits filled for each.
    ///
    /// - Parameters:
    ///   - restart: forgets what the blocks before said.
    ///   - body: is given the bits, the component's place in the scan, and where the block's coefficients begin; `false`
    ///     ends it.
    /// - Returns: `false` for damage.
    @inline(__always)
    private mutating func forEachBlock(
        _ head: ScanHead, _ bytes: Span<UInt8>, _ range: Range<Int>, restart: () -> Void,
        _ body: (inout EntropyBits, _ index: Int, _ block: Int, inout MutableSpan<Int16>) -> Bool
    ) -> Bool {
        var bits = EntropyBits(range)
        // Taken out while they are written: nobody else holds them.
        var kept: [Int16] = []
        swap(&kept, &coefficients)
        defer { swap(&kept, &coefficients) }
        var span = kept.mutableSpan
        let scanned = head.components.map { planes[$0] }
        let isAlone = scanned.count == 1
        var unit = 0
        for row in 0..<(isAlone ? scanned[0].height : scanned[0].unitsDown) {
            for column in 0..<(isAlone ? scanned[0].width : scanned[0].unitsAcross) {
                if restartInterval > 0, unit > 0, unit % restartInterval == 0 {
                    guard bits.restart((unit / restartInterval - 1) & 7, bytes) else { return false }
                    restart()
                }
                unit += 1
                for index in scanned.indices {
                    let plane = scanned[index]
                    let (wide, high) = isAlone ? (1, 1) : (plane.unitWidth, plane.unitHeight)
                    for blockRow in row * high..<(row + 1) * high {
                        for blockColumn in column * wide..<(column + 1) * wide {
                            bits.fill(bytes)
                            let block =
                                plane.start + (blockRow * plane.rowBlocks + blockColumn) * plane.side * plane.side
                            guard body(&bits, index, block, &span) else { return false }
                        }
                    }
                }
            }
        }
        return !bits.isOverdrawn
    }
}
