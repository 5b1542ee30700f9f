extension JPEGHeader {
    /// The highest coefficient, in zigzag order, of the lowest 1, 4, 16 and 64 of a block: what is left of them when the
    /// sides are halved three, two, one and no times.
    private static let lastCoefficients = [63, 24, 4, 0]

    /// Bits that small pictures do without: the coefficients' last two are far below what is left to see when the sides
    /// are halved.
    private static let idleBits = 2

    /// The coarsest step of a block's mean in which a bit may be missing: at 8 (libjpeg's quality 75) it is a level at
    /// most.
    private static let finestMean = 8

    /// Where the scans end that a progressive picture needs for halved sides: what follows only brings details that are
    /// not there at that size. (A picture with 1/8 of the sides needs about a twentieth of the bytes.)
    ///
    /// - Parameter halvings: of the sides while it is decoded, 1…3.
    /// - Returns: an offset; `nil` where all of it is needed.
    package func endOfScans(forHalvings halvings: Int) -> Int? {
        guard process.isProgressive, Self.lastCoefficients.indices.contains(halvings), halvings > 0 else { return nil }
        let needed = 0...Self.lastCoefficients[halvings]
        var missing = components.map { _ in [Int](repeating: 15, count: needed.count) }
        for scan in scans.dropLast() {
            for component in scan.components where missing.indices.contains(component) {
                for coefficient in scan.spectrum.clamped(to: 0...63) where needed.contains(coefficient) {
                    missing[component][coefficient] = scan.missingBits
                }
            }
            let areMeansFine =
                missing.allSatisfy { $0[0] == 0 }
                || coarsestMean <= Self.finestMean && missing.allSatisfy { $0[0] <= 1 }
            if areMeansFine, missing.allSatisfy({ $0.allSatisfy { $0 <= Self.idleBits } }) { return scan.end }
        }
        return nil
    }
}
