/// A check of the end of a video file, for containers whose FFmpeg demuxer reports no error at an early end.
package enum VideoEnd {
    private static let segment = 0x1853_8067
    private static let cluster = 0x1F43_B675
    /// The maximum number of elements that are read. A video of ten minutes has some 50,000 blocks.
    private static let maxElements = 1_000_000

    /// Returns whether a Matroska or WebM file ends within an element (RFC 8794, 4 to 6).
    ///
    /// Recorders that write into a pipe leave the sizes of the segment and of the clusters unknown. In such a file,
    /// only the size of an element within them can show that the end is missing.
    package static func isMissing(inMatroska bytes: Span<UInt8>) -> Bool {
        var (offset, count) = (0, 0)
        while offset < bytes.count {
            count += 1
            guard count <= maxElements else { return false }
            guard let identifier = number(bytes, at: offset, keepsMarker: true) else { return false }
            guard let size = number(bytes, at: offset + identifier.length, keepsMarker: false) else { return false }
            let body = offset + identifier.length + size.length
            guard body <= bytes.count, let value = identifier.value else { return true }
            if let length = size.value {
                offset = body.addedOrMax(length)
                if value == segment { return offset > bytes.count }
            } else {
                guard value == segment || value == cluster else { return false }
                offset = body
            }
        }
        return offset > bytes.count
    }

    /// Reads an identifier or a size of at most eight bytes.
    ///
    /// - Returns: The value, `nil` for an unknown size (all ones), and the length in bytes; `nil` without a number.
    private static func number(_ bytes: Span<UInt8>, at offset: Int, keepsMarker: Bool) -> (value: Int?, length: Int)? {
        guard let first = bytes.byte(at: offset) else { return (nil, 1) }
        let length = first.leadingZeroBitCount + 1
        guard length <= 8 else { return nil }
        var value = keepsMarker ? Int(first) : Int(first) & (0xFF >> length)
        for index in 1..<length { value = value << 8 | Int(bytes.byte(at: offset + index) ?? 0) }
        let isUnknown = !keepsMarker && value == 1 << (7 * length) - 1
        return (isUnknown || offset + length > bytes.count ? nil : value, length)
    }

    /// Returns whether an MPEG transport stream ends within a packet (ISO 13818-1, 2.4.3.2). Blu-ray discs add four bytes
    /// before each packet of 188 bytes, and some recorders add sixteen.
    package static func isMissing(inTransportStream bytes: Span<UInt8>) -> Bool {
        let (packet, sync) = (188, UInt8(0x47))
        guard bytes.count >= 1_024 else { return false }
        return ![packet, packet + 4, packet + 16].contains { length in
            [bytes.count - packet, bytes.count - length].contains { last in
                bytes.byte(at: last) == sync && bytes.byte(at: last - length) == sync
            }
        }
    }
}
