extension JPEGHeader {
    /// The last of the lowest 64, 16, 4 and 1 coefficients of a block, in zigzag order. These coefficients remain when
    /// the sides are halved zero, one, two and three times.
    private static let lastCoefficients = [63, 24, 4, 0]

    /// The number of low bits of a coefficient that a reduced image does not need. The effect of these bits is too
    /// small to be visible in a reduced image.
    private static let idleBits = 2

    /// The largest quantization step of the block means for which their lowest bit may be missing. At 8 (libjpeg's
    /// quality 75), that bit changes a sample by at most one level.
    private static let finestMean = 8

    /// Returns the offset after the last scan that a progressive image needs at reduced size.
    ///
    /// Later scans only add details that are not visible at that size. An image with 1/8 of the sides needs about a
    /// twentieth of the bytes.
    ///
    /// - Parameter halvings: The number of times that the decoder halves the sides, 1…3.
    /// - Returns: `nil` if all scans are needed.
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
