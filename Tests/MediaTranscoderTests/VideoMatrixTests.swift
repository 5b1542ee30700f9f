import Base
import NotificationModel
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of videos in every supported container, codec and codec profile (scripts/make-film-fixtures). The videos
/// are copied or encoded for each profile.
@Suite struct VideoMatrixTests {
    struct VideoFixture: Sendable, CustomTestStringConvertible {
        let name: String
        let format: MediaFormat
        /// Whether the video stream is copied into the MP4 for a profile that copies its codec.
        let isCopied: Bool
        /// The codecs of the rendition for such a profile.
        let codecs: [String]
        var testDescription: String { name }

        var bytes: [UInt8] { Workbench.fixture("../films/\(name)") }

        func codecs(for profile: MediaProfile) -> [String] {
            codecs.map { $0 == "hevc" && !profile.attachment.copiesHEVC ? "h264" : $0 }
        }
    }

    private static let videos = [
        VideoFixture(name: "h264-aac.mov", format: .quickTime, isCopied: true, codecs: ["h264", "aac"]),
        VideoFixture(name: "h264-pcm.mov", format: .quickTime, isCopied: true, codecs: ["h264", "aac"]),
        VideoFixture(name: "h264-aac.m4v", format: .mp4, isCopied: true, codecs: ["h264", "aac"]),
        VideoFixture(name: "h264-fragments.mp4", format: .mp4, isCopied: true, codecs: ["h264", "aac"]),
        VideoFixture(name: "h264-opus.mp4", format: .mp4, isCopied: true, codecs: ["h264", "aac"]),
        VideoFixture(name: "h263-aac.3gp", format: .mp4, isCopied: false, codecs: ["h264", "aac"]),
        VideoFixture(name: "h264-aac.mkv", format: .matroska, isCopied: true, codecs: ["h264", "aac"]),
        VideoFixture(name: "hevc-flac.mkv", format: .matroska, isCopied: true, codecs: ["hevc", "aac"]),
        VideoFixture(name: "vp8-vorbis.webm", format: .webm, isCopied: false, codecs: ["h264", "aac"]),
        VideoFixture(name: "vp9-opus.webm", format: .webm, isCopied: false, codecs: ["h264", "aac"]),
        VideoFixture(name: "av1-opus.webm", format: .webm, isCopied: false, codecs: ["h264", "aac"]),
        VideoFixture(name: "vp9-silent.webm", format: .webm, isCopied: false, codecs: ["h264"]),
        VideoFixture(name: "mpeg4-mp3.avi", format: .avi, isCopied: false, codecs: ["h264", "mp3"]),
        VideoFixture(name: "h264-mp3.avi", format: .avi, isCopied: false, codecs: ["h264", "mp3"]),
        VideoFixture(name: "flv1-mp3.flv", format: .flv, isCopied: false, codecs: ["h264", "mp3"]),
        VideoFixture(name: "h264-aac.flv", format: .flv, isCopied: true, codecs: ["h264", "aac"]),
        VideoFixture(name: "mjpeg-pcm.avi", format: .avi, isCopied: false, codecs: ["h264", "aac"]),
        VideoFixture(name: "mpeg1-mp2.mpg", format: .mpegPS, isCopied: false, codecs: ["h264", "aac"]),
        VideoFixture(name: "mpeg2-mp2.mpg", format: .mpegPS, isCopied: false, codecs: ["h264", "aac"]),
        VideoFixture(name: "mpeg2-mp2.ts", format: .mpegTS, isCopied: false, codecs: ["h264", "aac"]),
        VideoFixture(name: "h264-aac.ts", format: .mpegTS, isCopied: true, codecs: ["h264", "aac"]),
        VideoFixture(name: "h264-baseline.mp4", format: .mp4, isCopied: true, codecs: ["h264", "aac"]),
        VideoFixture(name: "h264-main.mp4", format: .mp4, isCopied: true, codecs: ["h264", "aac"]),
        VideoFixture(name: "h264-high10.mp4", format: .mp4, isCopied: false, codecs: ["h264", "aac"]),
        VideoFixture(name: "h264-high422.mov", format: .quickTime, isCopied: false, codecs: ["h264", "aac"]),
        VideoFixture(name: "h264-high444.mkv", format: .matroska, isCopied: false, codecs: ["h264", "aac"]),
        VideoFixture(name: "hevc-main.mov", format: .quickTime, isCopied: true, codecs: ["hevc", "aac"]),
        VideoFixture(name: "hevc-main10.mp4", format: .mp4, isCopied: true, codecs: ["hevc", "aac"]),
        VideoFixture(name: "hevc-main10.ts", format: .mpegTS, isCopied: true, codecs: ["hevc", "aac"]),
        VideoFixture(name: "hevc-444.mp4", format: .mp4, isCopied: false, codecs: ["h264", "aac"]),
        VideoFixture(name: "vp9-profile1.webm", format: .webm, isCopied: false, codecs: ["h264", "aac"]),
        VideoFixture(name: "av1-10bit.mp4", format: .mp4, isCopied: false, codecs: ["h264", "aac"]),
    ]

    /// The duration of a frame, in milliseconds.
    private static let frame = 40.0

    @Test(arguments: videos, MediaProfile.all)
    func `a video becomes an MP4 of the same length, and its sound is in sync`(
        _ video: VideoFixture, _ profile: MediaProfile
    ) throws {
        let (format, specs) = try Workbench.specs(video.bytes, for: profile)
        #expect(format == video.format)
        let outcome = Workbench.run(video.bytes, as: format, specs)
        let report = try #require(outcome.reports.first, "\(outcome.reply.result)")
        #expect(outcome.reports.map(\.role) == [.attachment, .thumbnail, .poster])
        #expect(outcome.reports.map(\.format) == [.mp4, .jpeg, .jpeg])
        // The pixels of H.263 are wider than high.
        let size: [UInt32] = video.name.hasPrefix("h263") ? [176, 132] : [160, 120]
        #expect([report.width, report.height] == size)
        // The first frame of this AVI is followed by an empty chunk.
        let frames = video.name == "mpeg4-mp3.avi" ? 26 : 25
        try expectWhole(outcome.outputs[0], video.codecs(for: profile), frames: frames)
        #expect(abs(Double(report.durationMilliseconds ?? 0) - 1_000) <= 2 * Self.frame)
        #expect(report.frames == frames)
    }

    @Test(arguments: videos.filter(\.isCopied))
    func `a video that could be copied is encoded if it is too large`(_ video: VideoFixture) throws {
        let outcome = Workbench.run(
            video.bytes, as: video.format, [Workbench.order(.attachment, 64, videoSide: 80, copiedVideoSide: 80)])
        let report = try #require(outcome.reports.first, "\(outcome.reply.result)")
        #expect([report.width, report.height] == [80, 60])
        try expectWhole(outcome.outputs[0], ["h264"] + video.codecs.dropFirst())
    }

    private func expectWhole(_ bytes: [UInt8], _ codecs: [String], frames: Int = 25) throws {
        let made = try VideoProbe(bytes)
        #expect(made.codecs == codecs)
        #expect(made.frames == frames)
        #expect(abs(made.duration - 1_000) <= Self.frame)
        #expect(made.steps.allSatisfy { abs($0 - Self.frame) <= 2 }, "\(made.steps)")
        let flash = try #require(made.flash)
        guard codecs.count > 1 else { return #expect(made.tone == nil) }
        let tone = try #require(made.tone)
        #expect(abs(flash - tone) <= Self.frame, "the picture flashes at \(flash) ms, the tone sounds at \(tone) ms")
    }

    @Test(arguments: videos)
    func `a video that ends early does not cause an internal failure`(_ video: VideoFixture) {
        let bytes = video.bytes
        for part in [1, 2, 3, 5, 8, 13] {
            let outcome = Workbench.run(
                Array(bytes.prefix(bytes.count * part / 16)), as: video.format,
                [Workbench.order(.attachment, 64), Workbench.order(.poster, 64)])
            #expect(outcome.failure != .internalFault, "\(part) of 16: \(outcome.reply.result)")
        }
    }
}
