/// A scan of a JPEG (ITU-T T.81, B.2.3): the components and coefficients that it codes, and the offset at which it
/// ends.
package struct JPEGScan: Sendable, Equatable {
    /// The indices of the scan's components in the components of the frame.
    package var components: [Int]
    /// The first and the last coefficient in zigzag order. Coefficient 0 (DC) is the mean of a block, and coefficients
    /// 1…63 (AC) are its details.
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
