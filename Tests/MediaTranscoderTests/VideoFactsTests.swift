import Base
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of the facts about videos and sounds in reports. The facts are compared with the settings of
/// scripts/make-film-fixtures and scripts/make-sound-fixtures.
@Suite struct VideoFactsTests {
    private func report(
        _ name: String, _ format: MediaFormat, milliseconds: UInt32? = nil
    ) throws -> RenditionReport {
        let outcome = Workbench.run(
            Workbench.fixture("../\(name)"), as: format, [Workbench.order(.attachment, 1_024)],
            milliseconds: milliseconds)
        return try #require(outcome.reports.first, "\(outcome.reply.result)")
    }

    @Test(
        arguments: [
            ("films/h264-aac.mov", .mp4, "h264", "aac", 48_000, 1, 25),
            ("films/h264-pcm.mov", .mp4, "h264", "pcm_s16le", 8_000, 1, 25),
            ("films/hevc-flac.mkv", .matroska, "hevc", "flac", 16_000, 1, 25),
            ("films/vp9-opus.webm", .matroska, "vp9", "opus", 48_000, 1, 25),
            ("films/mpeg4-mp3.avi", .avi, "mpeg4", "mp3", 44_100, 1, 25),
            ("films/mpeg2-mp2.ts", .mpegTS, "mpeg2video", "mp2", 48_000, 1, 25),
        ] as [(String, MediaFormat, String, String, Int, Int, UInt32)])
    func `a report describes the streams of the video and of its source`(
        _ name: String, _ format: MediaFormat, _ video: String, _ audio: String, _ rate: Int, _ channels: Int,
        _ frames: UInt32
    ) throws {
        let report = try report(name, format)
        let (source, made) = (try #require(report.source), try #require(report.streams))
        #expect(source.streams.videoCodec == video && source.streams.audioCodec == audio)
        #expect(source.streams.sampleRate == rate && source.streams.channels == channels)
        #expect(source.streams.frameRate == 25 && source.frames == frames)
        #expect(abs(Int(source.durationMilliseconds ?? 0) - 1_000) <= 80)
        #expect(source.soundOmission == nil && !source.isCut)
        #expect(made.videoCodec == "h264")
        #expect(made.audioCodec == (audio == "mp3" ? "mp3" : "aac"))
        #expect(made.sampleRate == rate && made.channels == channels && made.frameRate == 25)
        let bits = Double(report.bytes) * 8 * 1_000 / Double(report.durationMilliseconds ?? 1)
        #expect(abs(Double(made.bitRate ?? 0) - bits) <= 1)
    }

    @Test func `the report of a sound has no video stream, and has its own sample rate and channels`() throws {
        let report = try report("sounds/flac.flac", .flac)
        #expect(report.source?.streams.audioCodec == "flac" && report.streams?.audioCodec == "aac")
        #expect(report.source?.streams.videoCodec == nil && report.source?.frames == nil)
        #expect(report.source?.streams.frameRate == nil && (report.source?.streams.bitRate ?? 0) > 0)
        #expect(report.streams?.sampleRate == report.source?.streams.sampleRate)
    }

    @Test(arguments: [("films/h264-mp3.avi", MediaFormat.avi), ("films/flv1-mp3.flv", .flv)])
    func `a mono MP3 stream in an MP4 is reported, copied and encoded with one channel`(
        _ name: String, _ format: MediaFormat
    ) throws {
        let video = Workbench.run(Workbench.fixture("../\(name)"), as: format, [Workbench.order(.attachment, 1_024)])
        #expect(video.reports.first?.streams?.audioCodec == "mp3", "\(video.reply.result)")
        for side in [UInt32(1_280), 80] {
            let outcome = Workbench.run(
                video.outputs[0], as: .mp4, [Workbench.order(.attachment, 1_024, videoSide: side)])
            let report = try #require(outcome.reports.first, "\(outcome.reply.result)")
            #expect(report.source?.streams.audioCodec == "mp3" && report.source?.streams.channels == 1)
            #expect(report.streams?.channels == 1)
        }
    }

    @Test func `the report of an image has no streams`() throws {
        let report = try report("media/photo-small.jpg", .jpeg)
        #expect(report.streams == nil && report.source == nil)
    }

    @Test func `the report of a video without sound has no audio stream`() throws {
        let report = try report("films/vp9-silent.webm", .matroska)
        for streams in [report.streams, report.source?.streams] {
            #expect(streams?.audioCodec == nil && streams?.sampleRate == nil && streams?.channels == nil)
        }
        #expect(report.source?.soundOmission == nil)
    }

    @Test func `a still image that replaces a video has the report of the video`() throws {
        let report = try report("films/vp9-opus.webm", .matroska, milliseconds: 0)
        #expect(report.reduction == .still && report.format == .jpeg)
        #expect(report.streams == nil && report.source?.streams.videoCodec == "vp9")
    }

    @Test(
        arguments: [
            ("films/h264-ac3.mkv", .matroska, "ac3", .unsupported),
            ("films/h264-unreadable.mp4", .mp4, "aac", .unreadable),
        ] as [(String, MediaFormat, String, SoundOmission)])
    func `a video is shown without its sound if the sound is damaged or not supported`(
        _ name: String, _ format: MediaFormat, _ codec: String, _ omission: SoundOmission
    ) throws {
        for side in [UInt32(1_280), 80] {
            let outcome = Workbench.run(
                Workbench.fixture("../\(name)"), as: format, [Workbench.order(.attachment, 1_024, videoSide: side)])
            let report = try #require(outcome.reports.first, "\(outcome.reply.result)")
            #expect(report.source?.soundOmission == omission)
            #expect(report.source?.streams.audioCodec == codec && report.streams?.audioCodec == nil)
            #expect(try VideoProbe(outcome.outputs[0]).codecs == ["h264"])
        }
    }
}
