/// One scan of a JPEG (ITU-T T.81, B.2.3): which coefficients of which components it brings, and where it ends.
package struct JPEGScan: Sendable, Equatable {
    /// Places of its components among the picture's.
    package var components: [Int]
    /// The first and last coefficient in zigzag order: 0 is the mean of a block (DC), 1…63 its details.
    package var spectrum: ClosedRange<Int>
    /// Bits that are still missing after it; 0: the coefficients are exact.
    package var missingBits: Int
    /// Where the next marker stands: the scans up to here are a picture of their own.
    package var end: Int

    /// - Parameter all: the picture's components. What the header says against the standard is read as a scan
    ///   that brings nothing: decoders judge it.
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

/// A segment of a JPEG that decoding needs (ITU-T T.81, B.1.1.4).
package struct JPEGSegment: Sendable, Equatable {
    /// What stands behind 0xFF: 0xC4 for Huffman tables, 0xDA for the head of a scan.
    package var marker: UInt8
    /// Where it stands in the file, without the marker and the length.
    package var body: Range<Int>
}
