import MediaHeaders
import TranscodeProtocol

/// The reading of a film that is damaged, or ends early: it is shown up to there.
struct DamagedFilm {
    private let facts: VideoFacts
    /// The first damage; `nil`: none was found.
    private var failure: TranscodeFailure?
    /// The number of packets of each stream that are to come, and are there as a whole; `nil`: all.
    private var wholePackets: [Int32: Int]?

    init(_ facts: VideoFacts, _ source: borrowing MappedInput) throws(TranscodeFailure) {
        self.facts = facts
        guard facts.endsEarly else { return }
        failure = TranscodeFailure(.corrupt, "the file ends early")
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

    /// Counts a packet.
    ///
    /// - Returns: whether it is there as a whole. The last packets of a broadcast that ends early are not.
    mutating func isWhole(_ packet: borrowing Packet) -> Bool {
        guard let rest = wholePackets?[packet.streamIndex] else { return true }
        wholePackets?[packet.streamIndex] = rest - 1
        return rest > 0
    }

    /// Reads the next packet; `false` at the end, and where the container cannot be read any further.
    mutating func read(_ demuxer: borrowing Demuxer, into packet: borrowing Packet) throws(TranscodeFailure) -> Bool {
        do throws(TranscodeFailure) {
            return try demuxer.read(into: packet)
        } catch {
            try end(by: error)
            return false
        }
    }

    /// Ends the film at a failure.
    ///
    /// - Throws: the failure, unless it is damage that is shown.
    mutating func end(by failure: TranscodeFailure) throws(TranscodeFailure) {
        guard facts.showsDamage, failure.code == .corrupt else { throw failure }
        self.failure = failure
    }

    /// Notes the number of packets of the picture. A file that is cut at a packet's edge looks like its end, but the index
    /// knows better.
    mutating func finish(packets: Int) {
        guard failure == nil, packets < facts.packets else { return }
        failure = TranscodeFailure(.corrupt, "the file has only \(packets) of \(facts.packets) frames")
    }

    /// Returns the damage of what is shown; `nil` for an intact film.
    ///
    /// - Parameters: of what is shown.
    /// - Throws: the first damage if less than half of the film is there, or damage is not shown.
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
