/// The facts that the chunks of a Core Audio file state, read before a demuxer reads them (Apple, "Core Audio Format
/// Specification 1.0").
package struct CAFHeader {
    /// The number of packets that the packet tables state.
    package private(set) var packetCount = 0
    /// Whether the header does not state the length of the sound. In this case, the samples reach to the end of the
    /// file.
    package private(set) var isLengthUnknown = false

    private static let mostChunks = 1_000
    /// The maximum number of packets. A demuxer stores an entry for each packet. Ten minutes in packets of 2.5 ms have
    /// 240,000 packets.
    private static let mostPackets = 500_000

    /// Walks the chunks. The walk ends at a damaged chunk without an error, because the demuxer reports the damage.
    ///
    /// - Throws: `wrongFormat`; `excessive` for more packets than a demuxer can hold.
    package init(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        guard bytes.code(at: 0) == "caff" else { throw .wrongFormat }
        var offset = 8
        for _ in 0..<Self.mostChunks {
            guard let name = bytes.code(at: offset), let length = bytes.bigEndian64(at: offset + 4) else { return }
            let body = offset + 12
            switch name {
            case "pakt":
                packetCount = packetCount.addedOrMax(max(0, bytes.bigEndian64(at: body) ?? 0))
                guard packetCount <= Self.mostPackets else { throw .excessive("CAF packets") }
            case "data": isLengthUnknown = length == -1
            default: break
            }
            guard length >= 0, length <= bytes.count - body else { return }
            offset = body + length
        }
    }
}

extension Span where Element == UInt8 {
    /// Returns the number in two's complement.
    fileprivate func bigEndian64(at offset: Int) -> Int? {
        guard let high = bigEndian32(at: offset), let low = bigEndian32(at: offset + 4) else { return nil }
        return high << 32 | low
    }
}
