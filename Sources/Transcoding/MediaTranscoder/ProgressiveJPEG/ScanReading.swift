import MediaHeaders

/// The state of reading a progressive JPEG's scans: the current tables and the lowest coefficients.
///
/// Each step returns whether it succeeded. If a step fails, another decoder decodes the image.
struct ScanReading {
    let planes: [BlockPlane]
    /// The coefficients of all planes as they are coded, before they are multiplied by the quantization steps.
    private(set) var coefficients: [Int16]
    private var tables = HuffmanTables<ValueTable>()
    /// The quantization steps of the coefficients 0, 1, 2 and 4 in zigzag order, by the number of the table.
    private var steps = [[Int]?](repeating: nil, count: 4)
    /// The number of MCUs between two restart markers; 0 if there are no markers.
    private var restartInterval = 0
    /// The number of low bits of each component's DC coefficients that are still missing; `nil` before the first scan.
    private var missingBits: [Int?]
    private var hasScan = false

    init(_ header: JPEGHeader, side: Int) {
        planes = header.components.reduce(into: []) { planes, component in
            planes.append(BlockPlane(component, of: header, side: side, start: planes.last?.end ?? 0))
        }
        coefficients = [Int16](repeating: 0, count: planes.last?.end ?? 0)
        missingBits = [Int?](repeating: nil, count: planes.count)
    }

    func steps(of component: JPEGHeader.Component) -> [Int]? {
        steps.indices.contains(component.quantizationTable) ? steps[component.quantizationTable] : nil
    }

    /// Reads a segment of Huffman tables (ITU-T T.81, B.2.4.2).
    ///
    /// - Returns: `false` if the segment is damaged, or has too many tables.
    mutating func noteHuffmanTables(_ body: Span<UInt8>) -> Bool {
        tables.read(body) { ValueTable($0, hasZero: $1) }
    }

    /// Reads a segment of quantization tables (ITU-T T.81, B.2.4.1).
    ///
    /// - Returns: `false` if the segment is damaged, a step is zero, or a scan was read before. Decoders show an image
    ///   differently if a table changes between scans.
    mutating func noteQuantization(_ body: Span<UInt8>) -> Bool {
        var offset = 0
        while offset < body.count {
            let isWide = body[offset] >> 4 == 1
            let end = offset + (isWide ? 129 : 65)
            guard !hasScan, body[offset] >> 4 <= 1, body[offset] & 15 <= 3, end <= body.count else { return false }
            let first = offset + 1
            let all = (0..<64).map {
                isWide ? Int(body[first + 2 * $0]) << 8 | Int(body[first + 2 * $0 + 1]) : Int(body[first + $0])
            }
            guard !all.contains(0) else { return false }
            steps[Int(body[offset] & 15)] = [0, 1, 2, 4].map { all[$0] }
            offset = end
        }
        return true
    }

    /// Reads a restart interval (ITU-T T.81, B.2.4.4).
    ///
    /// - Returns: `false` if the segment is damaged.
    mutating func noteRestartInterval(_ body: Span<UInt8>) -> Bool {
        guard body.count == 2 else { return false }
        restartInterval = Int(body[0]) << 8 | Int(body[1])
        return true
    }

    /// Reads the data of a scan, unless no coefficient of it is needed.
    ///
    /// - Parameter range: The range of the scan's data within the bytes.
    /// - Returns: `false` if the scan is damaged, or of a kind that is not supported.
    mutating func read(_ head: ScanHeader, from bytes: Span<UInt8>, at range: Range<Int>) -> Bool {
        hasScan = true
        guard head.components.allSatisfy(planes.indices.contains), follows(head), hasTables(of: head) else {
            return false
        }
        if head.spectrum.upperBound == 0 {
            let scan = DCScan(head: head, planes: head.components.map { planes[$0] }, restartInterval: restartInterval)
            return head.isRefinement
                ? scan.refine(&coefficients, from: bytes, at: range)
                : scan.read(head.dcTables.compactMap { tables.dc[$0] }, into: &coefficients, from: bytes, at: range)
        }
        guard planes[0].side > 1, head.spectrum.lowerBound <= 4 else { return true }
        // A refinement scan mixes the bits of these AC coefficients with those of others, which are not stored.
        guard !head.isRefinement, let table = tables.ac[head.acTables[0]] else { return false }
        let scan = ACScan(head: head, table: table, plane: planes[head.components[0]], restartInterval: restartInterval)
        return scan.read(into: &coefficients, from: bytes, at: range)
    }

    /// Returns whether all tables that the header names exist, including tables that the scan does not use. FFmpeg
    /// requires all of these tables, and has default tables for the numbers 0 and 1.
    private func hasTables(of head: ScanHeader) -> Bool {
        head.dcTables.allSatisfy { $0 < 2 || tables.dc[$0] != nil }
            && head.acTables.allSatisfy { $0 < 2 || tables.ac[$0] != nil }
    }

    /// Returns whether the scan is in the order of ITU-T T.81, G.1.1.1, and records the scan.
    ///
    /// The first scan of a component contains the first bits of its DC coefficients, and no later scan repeats these
    /// bits. Each later scan of DC coefficients adds one bit. Decoders show scans in another order differently.
    private mutating func follows(_ head: ScanHeader) -> Bool {
        for component in head.components {
            guard head.spectrum.upperBound == 0 else { return missingBits[component] != nil }
            guard missingBits[component] == (head.isRefinement ? head.missingBits + 1 : nil) else { return false }
            missingBits[component] = head.missingBits
        }
        return true
    }
}

/// The header of a progressive scan (ITU-T T.81, B.2.3 and G.1.1.1).
struct ScanHeader {
    /// The indices of the scan's components in the components of the frame.
    let components: [Int]
    /// The number of each component's Huffman table for DC coefficients, 0…3.
    let dcTables: [Int]
    let acTables: [Int]
    /// The first and the last coefficient in zigzag order.
    let spectrum: ClosedRange<Int>
    /// Whether the scan has one more bit of coefficients that other scans began.
    let isRefinement: Bool
    /// The number of low bits that are still missing after this scan.
    let missingBits: Int

    /// Reads the header of a scan.
    ///
    /// - Returns: `nil` if the standard does not allow the header.
    init?(_ body: Span<UInt8>, of scan: JPEGScan) {
        let count = scan.components.count
        guard (1...4).contains(count), body.count == 4 + 2 * count, Int(body[0]) == count,
            Set(scan.components).count == count, scan.missingBits <= 13
        else { return nil }
        components = scan.components
        dcTables = (0..<count).map { Int(body[2 + 2 * $0] >> 4) }
        acTables = (0..<count).map { Int(body[2 + 2 * $0] & 15) }
        spectrum = scan.spectrum
        missingBits = scan.missingBits
        let before = Int(body[3 + 2 * count] >> 4)
        isRefinement = before > 0
        // The limit also applies to the numbers of tables that the scan does not use.
        guard (dcTables + acTables).allSatisfy({ $0 <= 3 }) else { return nil }
        guard spectrum.lowerBound == 0 ? spectrum.upperBound == 0 : count == 1 else { return nil }
        guard !isRefinement || before == missingBits + 1 else { return nil }
    }
}
