import Base
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of videos with gaps in their sound, when the sound is encoded. The video turns white and a tone sounds at
/// the same time.
@Suite struct SoundGapTests {
    private static let video = Workbench.fixture("../films/mpeg2-mp2.ts")

    private func made(_ bytes: [UInt8]) throws -> VideoProbe {
        let outcome = Workbench.run(bytes, as: .mpegTS, [Workbench.order(.attachment, 1_024, videoSide: 80)])
        let report = try #require(outcome.reports.first, "\(outcome.reply.result)")
        #expect(report.source?.streams.audioCodec == "mp2" && report.streams?.audioCodec == "aac")
        return try VideoProbe(outcome.outputs[0])
    }

    /// Compares the end of the last flash with that of the last tone.
    private func expectTogether(_ video: VideoProbe, within milliseconds: Double = 60) throws {
        let (flash, tone) = (try #require(video.flashEnd), try #require(video.toneEnd))
        #expect(abs(flash - tone) <= milliseconds, "the last flash ends at \(flash) ms, the last tone at \(tone) ms")
    }

    @Test func `a sound which ends before the video of the first part does not begin early in the second part`() throws
    {
        let first = try TransportStream.removingSound(from: Self.video, in: 0.7..<10)
        let video = try made(first + Self.video)
        #expect(abs(video.duration - 2_000) <= 81)
        try expectTogether(video)
    }

    @Test func `the missing packets of a sound leave silence of the same length`() throws {
        let video = try made(TransportStream.removingSound(from: Self.video, in: 0.3..<0.5) + Self.video)
        #expect(abs(video.duration - 2_000) <= 81)
        try expectTogether(video)
    }

    @Test func `the sound of ten joined parts is not late at the end`() throws {
        let video = try made((0..<10).flatMap { _ in Self.video })
        #expect(abs(video.duration - 10_000) <= 401)
        try expectTogether(video, within: 130)
    }
}

/// The packets of a broadcast (ISO 13818-1, 2.4.3).
enum TransportStream {
    /// Removes the sound that begins in a range, in seconds from its first packet.
    static func removingSound(from bytes: [UInt8], in range: Range<Double>) throws -> [UInt8] {
        var (kept, isRemoved) = ([UInt8](), false)
        var (first, sound) = (nil as Int?, nil as [UInt8]?)
        for start in stride(from: 0, to: bytes.count, by: 188) {
            let packet = Array(bytes[start..<start + 188])
            let identifier = [packet[1] & 0x1F, packet[2]]
            let hasStuffing = packet[3] & 0x20 != 0
            let body = Array(packet.dropFirst(hasStuffing ? 5 + Int(packet[4]) : 4))
            // The condition is true for the first packet of a PES packet of MPEG sound, which contains the time at
            // which the sound is played.
            if packet[1] & 0x40 != 0, body.count > 14, body.starts(with: [0, 0, 1, 0xC0]) {
                let time = ticks(body[9..<14])
                first = first ?? time
                isRemoved = range.contains(Double(time - (first ?? 0)) / 90_000)
                sound = identifier
            }
            if !isRemoved || identifier != sound { kept += packet }
        }
        try #require(kept.count < bytes.count)
        return kept
    }

    /// Returns a time stamp of 33 bits, in ticks of 1/90,000 s.
    private static func ticks(_ bytes: ArraySlice<UInt8>) -> Int {
        let values = bytes.map { Int($0) }
        return (values[0] >> 1 & 7) << 30 | values[1] << 22 | (values[2] >> 1) << 15 | values[3] << 7 | values[4] >> 1
    }
}
