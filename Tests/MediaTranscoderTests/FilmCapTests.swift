import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// Films that have to fit few bytes.
@Suite struct FilmCapTests {
    private static let films: [(String, SourceFormat)] = [
        ("h264-aac.mov", .mp4), ("h263-aac.3gp", .mp4), ("vp8-vorbis.webm", .matroska), ("mjpeg-pcm.avi", .avi),
        ("mpeg2-mp2.ts", .mpegTS), ("uneven.webm", .matroska), ("interlaced.ts", .mpegTS), ("noise.mp4", .mp4),
        ("noise.mp4", .mp4), ("fast.mp4", .mp4),
    ]

    /// Below this not even a frame and the index fit.
    private static let least: UInt64 = 12_000

    @Test func `no film has more bytes than it may have, and none is refused that can be cut`() throws {
        var generator = SeededGenerator(seed: 20_261_125)
        var (cut, whole) = (0, 0)
        for round in 0..<200 {
            let (name, format) = try #require(Self.films.randomElement(using: &generator))
            let cap = UInt64.random(in: 1_000...60_000, using: &generator)
            let side = UInt32.random(in: 40...150, using: &generator)
            let outcome = Workbench.run(
                Workbench.fixture("../films/\(name)"), as: format,
                [Workbench.order(.attachment, 64, videoSide: side, videoBytes: cap)])
            let about = "round \(round): \(name) in \(cap) bytes at \(side): \(outcome.reply.result)"
            guard let report = outcome.reports.first else {
                #expect(outcome.failure == .tooLarge && cap < Self.least, "\(about)")
                continue
            }
            #expect(report.bytes <= cap && outcome.outputs[0].count == Int(report.bytes), "\(about)")
            let made = try FilmProbe(outcome.outputs[0])
            #expect(made.frames == report.frames, "\(about)")
            let isCut = try #require(report.source).isCut
            if isCut { cut += 1 } else { whole += 1 }
            let length = Double(report.source?.durationMilliseconds ?? 1_000)
            #expect((made.duration < length - 41) == isCut || abs(made.duration - length) <= 81, "\(about)")
        }
        #expect(cut > 10 && whole > 10, "\(cut) are cut, \(whole) are whole")
    }
}
