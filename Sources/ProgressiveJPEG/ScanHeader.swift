import MediaHeaders

/// The head of a progressive scan (ITU-T T.81, B.2.3 and G.1.1.1).
struct ScanHeader {
    /// Places of its components among the picture's.
    let components: [Int]
    /// Numbers of the Huffman tables of each component, for DC and for AC coefficients: 0…3.
    let dcTables: [Int]
    let acTables: [Int]
    /// The first and last coefficient in zigzag order.
    let spectrum: ClosedRange<Int>
    /// Whether it brings one more bit of what other scans began.
    let isRefinement: Bool
    /// Bits that are still missing after it.
    let missingBits: Int

    /// - Returns: `nil` for what the standard does not allow.
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
        // Also of the table that the scan has no use for.
        guard (dcTables + acTables).allSatisfy({ $0 <= 3 }) else { return nil }
        guard spectrum.lowerBound == 0 ? spectrum.upperBound == 0 : count == 1 else { return nil }
        guard !isRefinement || before == missingBits + 1 else { return nil }
    }
}
