/// A scan of a JPEG (ITU-T T.81, B.2.3): its components and coefficients, and the offset at which it ends.
package struct JPEGScan: Sendable, Equatable {
    /// The indices of the scan's components in the components of the frame.
    package var components: [Int]
    /// The first and the last coefficient in zigzag order. 0 (DC) is a block's mean, and 1…63 (AC) are its details.
    package var spectrum: ClosedRange<Int>
    /// The number of low bits that are still missing after this scan; 0 if the coefficients are exact.
    package var missingBits: Int
    /// The offset of the next marker. The scans up to this offset can be decoded as an image.
    package var end: Int

    /// Reads a scan header. An invalid header makes a scan without components; the decoder reports the error.
    ///
    /// - Parameter all: The components of the frame.
    init(_ body: Span<UInt8>, of all: [JPEGHeader.Component], end: Int) {
        components = []
        spectrum = 0...0
        missingBits = 15
        self.end = end
        guard let count = body.byte(at: 0).map(Int.init), (1...4).contains(count),
            let first = body.byte(at: 1 + 2 * count), let last = body.byte(at: 2 + 2 * count),
            let approximation = body.byte(at: 3 + 2 * count), first <= last, last <= 63
        else { return }
        components = (0..<count).compactMap { place in all.firstIndex { $0.identifier == body[1 + 2 * place] } }
        spectrum = Int(first)...Int(last)
        missingBits = Int(approximation & 15)
    }
}

/// A segment of a JPEG that a decoder needs (ITU-T T.81, B.1.1.4).
package struct JPEGSegment: Sendable, Equatable {
    /// The second byte of the marker, after 0xFF: 0xC4 for Huffman tables, 0xDA for a scan header.
    package var marker: UInt8
    /// The range of the segment in the file, without the marker and the length.
    package var body: Range<Int>
}

extension JPEGHeader {
    /// The last of the lowest 64, 16, 4 and 1 coefficients of a block, in zigzag order. These coefficients remain when
    /// the sides are halved zero, one, two and three times.
    private static let lastCoefficients = [63, 24, 4, 0]

    /// The number of low bits of a coefficient that a reduced image does not need. Their effect is invisible.
    private static let idleBits = 2

    /// The largest quantization step of the block means for which their lowest bit may be missing. At 8 (libjpeg's
    /// quality 75), that bit changes a sample by at most one level.
    private static let finestMean = 8

    /// Returns the offset after the last scan that a progressive image needs at reduced size.
    ///
    /// Later scans add no details that are visible at that size. An eighth of the sides needs a twentieth of the bytes.
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
