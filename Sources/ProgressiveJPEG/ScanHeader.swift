import MediaHeaders

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
