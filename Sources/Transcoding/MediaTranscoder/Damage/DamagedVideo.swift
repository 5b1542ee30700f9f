import Base
import MediaHeaders
import TranscodeProtocol

/// The state of reading a video that is damaged or ends early. The video is shown up to the damage.
struct DamagedVideo {
    private let facts: VideoFacts
    /// The first damage that was found; `nil` if none was found.
    private var failure: TranscodeFailure?
    /// The number of complete packets that remain in each stream; `nil` if all packets are complete.
    private var wholePackets: [Int32: Int]?

    init(_ facts: VideoFacts, _ source: borrowing MappedInput) throws(TranscodeFailure) {
        self.facts = facts
        guard facts.endsEarly else { return }
        failure = .corrupt("the file ends early")
        if facts.format == .mpegTS { wholePackets = try Self.packetCounts(source, facts).mapValues { $0 - 1 } }
    }

    private static func packetCounts(
        _ source: borrowing MappedInput, _ facts: VideoFacts
    ) throws(TranscodeFailure) -> [Int32: Int] {
        let demuxer = try Demuxer.open(source, as: facts.format)
        let packet = try Packet.make()
        var counts: [Int32: Int] = [:]
        while try demuxer.read(into: packet) { counts[packet.streamIndex, default: 0] += 1 }
        return counts
    }

    /// Counts a packet of its stream.
    ///
    /// - Returns: Whether the packet is complete. If a broadcast ends early, each stream's last one is not.
    mutating func count(_ packet: borrowing Packet) -> Bool {
        guard let rest = wholePackets?[packet.streamIndex] else { return true }
        wholePackets?[packet.streamIndex] = rest - 1
        return rest > 0
    }

    /// Reads the next packet.
    ///
    /// - Returns: `false` at the end, or if the container cannot be read any further because of damage.
    mutating func read(_ demuxer: borrowing Demuxer, into packet: borrowing Packet) throws(TranscodeFailure) -> Bool {
        do throws(TranscodeFailure) {
            return try demuxer.read(into: packet)
        } catch {
            try end(by: error)
            return false
        }
    }

    /// Ends the video at a failure.
    ///
    /// - Throws: The failure, unless the video is shown up to the damage.
    mutating func end(by failure: TranscodeFailure) throws(TranscodeFailure) {
        guard facts.showsDamage, failure.code == .corrupt else { throw failure }
        self.failure = failure
    }

    /// Compares the number of video packets with the index, and stores a failure if packets are missing. A file that is
    /// cut between two packets looks complete, but its index lists more packets.
    mutating func finish(packets: Int) {
        guard failure == nil, packets < facts.packets else { return }
        failure = .corrupt("the file has only \(packets) of \(facts.packets) frames")
    }

    /// Returns the damage of the part that is shown, or `nil` for an intact video.
    ///
    /// - Parameter frames: The number of frames that are shown.
    /// - Parameter milliseconds: The duration that is shown.
    /// - Throws: The first damage, if less than half of the video is left or if damaged videos are not shown.
    func damage(frames: Int, milliseconds: UInt64) throws(TranscodeFailure) -> SourceDamage? {
        guard let failure else { return nil }
        let isMost =
            facts.frames > 0
            ? frames.multipliedOrMax(by: 2) >= facts.frames
            : milliseconds.multipliedReportingOverflow(by: 2).partialValue >= facts.durationMilliseconds ?? 0
        guard facts.showsDamage, isMost else { throw failure }
        return SourceDamage(rows: 100, frames: UInt32(clamping: frames))
    }
}
