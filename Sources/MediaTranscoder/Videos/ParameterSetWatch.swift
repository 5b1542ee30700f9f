import CFFmpeg
import MediaTypes

/// A check that all key frames of a video have the same sequence parameter set (ITU-T H.264, 7.3.2.1; H.265, 7.3.2.2).
/// Only the packets of MPEG streams carry sets that matter. In other containers the set of the header is used.
struct ParameterSetWatch {
    private let codec: AVCodecID
    private let isWatching: Bool
    private var first: [UInt8] = []

    init(_ stream: MediaStream, in format: MediaFormat) {
        codec = stream.codec
        isWatching = format == .mpegTS || format == .mpegPS
    }

    mutating func isUnchanged(by packet: borrowing Packet) -> Bool {
        guard isWatching, packet.isKey else { return true }
        let set = packet.withBytes { sequenceParameterSet(in: $0) }
        guard !set.isEmpty else { return true }
        if first.isEmpty { first = set }
        return set == first
    }

    /// Returns the first set after a start code (ITU-T H.264, annex B). The result is empty if the packet has no set.
    private func sequenceParameterSet(in bytes: Span<UInt8>) -> [UInt8] {
        var start: Int?
        var index = 0
        while index + 3 < bytes.count {
            guard bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] <= 1 else {
                index += 1
                continue
            }
            if let start { return (start..<index).map { bytes[$0] } }
            guard bytes[index + 2] == 1 else {
                index += 1
                continue
            }
            if isParameterSet(bytes[index + 3]) { start = index + 3 }
            // The sets come before the coded picture, so its bytes are not searched.
            if isImage(bytes[index + 3]) { return [] }
            index += 3
        }
        return []
    }

    private func isParameterSet(_ header: UInt8) -> Bool {
        codec == AV_CODEC_ID_HEVC ? header >> 1 & 0x3F == 33 : header & 0x1F == 7
    }

    private func isImage(_ header: UInt8) -> Bool {
        codec == AV_CODEC_ID_HEVC ? header >> 1 & 0x3F < 32 : (1...5).contains(header & 0x1F)
    }
}
