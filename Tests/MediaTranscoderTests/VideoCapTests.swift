import Base
import Glibc
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of videos that have to fit into few bytes.
@Suite struct VideoCapTests {
    private static let videos: [(String, MediaFormat)] = [
        ("h264-aac.mov", .mp4), ("h263-aac.3gp", .mp4), ("vp8-vorbis.webm", .matroska), ("mjpeg-pcm.avi", .avi),
        ("mpeg2-mp2.ts", .mpegTS), ("uneven.webm", .matroska), ("interlaced.ts", .mpegTS), ("noise.mp4", .mp4),
        ("noise.mp4", .mp4), ("fast.mp4", .mp4),
    ]

    /// The size in bytes below which one frame and the index do not fit.
    private static let least: UInt64 = 12_000

    @Test func `a video never exceeds its cap, and is not refused if it can be cut`() throws {
        var generator = SeededGenerator(seed: 20_261_125)
        var (cut, whole) = (0, 0)
        for round in 0..<200 {
            let (name, format) = try #require(Self.videos.randomElement(using: &generator))
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
            let made = try VideoProbe(outcome.outputs[0])
            #expect(made.frames == report.frames, "\(about)")
            let isCut = try #require(report.source).isCut
            if isCut { cut += 1 } else { whole += 1 }
            let length = Double(report.source?.durationMilliseconds ?? 1_000)
            #expect((made.duration < length - 41) == isCut || abs(made.duration - length) <= 81, "\(about)")
        }
        #expect(cut > 10 && whole > 10, "\(cut) are cut, \(whole) are whole")
    }

    /// The test finds the largest size at which the video is cut, and the smallest size at which it is whole. At the
    /// smallest size, the last frame of the video just fits.
    @Test func `a video is reported as cut if and only if a frame is missing`() throws {
        let video = Workbench.fixture("../films/calm.mp4")
        func order(_ bytes: UInt64) -> RenditionSpec {
            Workbench.order(.attachment, 64, videoSide: 80, videoBytes: bytes)
        }
        func isCut(in bytes: UInt64) throws -> Bool {
            let outcome = Workbench.run(video, as: .mp4, [order(bytes)])
            let report = try #require(outcome.reports.first, "\(outcome.reply.result)")
            let isCut = try #require(report.source).isCut
            #expect(isCut == (report.frames < 400), "\(bytes) bytes: \(report)")
            return isCut
        }
        var (cut, whole) = (UInt64(30_000), UInt64(150_000))
        #expect(try isCut(in: cut) && !isCut(in: whole))
        while whole - cut > 1 {
            let middle = (cut + whole) / 2
            if try isCut(in: middle) { cut = middle } else { whole = middle }
        }
        let input = Workbench.temporaryFile(video)
        defer { close(input) }
        let facts = try #require(try VideoFacts.inspect(MappedInput.map(input), as: .mp4, limits: DecodeLimits()))
        let plan = VideoPlan.fitting(order(whole), facts, share: 1, isLastTry: false)
        #expect(plan.isCutToFit)
    }
}
