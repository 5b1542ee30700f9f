/// A segment of a JPEG that decoding needs (ITU-T T.81, B.1.1.4).
package struct JPEGSegment: Sendable, Equatable {
    /// What stands behind 0xFF: 0xC4 for Huffman tables, 0xDA for the head of a scan.
    package var marker: UInt8
    /// Where it stands in the file, without the marker and the length.
    package var body: Range<Int>
}
