import Base
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of videos that end early, in containers with and without an index.
@Suite struct CutVideoTests {
    struct VideoFixture: Sendable, CustomTestStringConvertible {
        let name: String
        let format: MediaFormat
        var testDescription: String { name }
        var bytes: [UInt8] { Workbench.fixture("../films/\(name)") }

        /// Returns the first bytes of the file, which end within a packet.
        func part(_ percent: Int) -> [UInt8] {
            let whole = bytes
            return Array(whole.prefix(whole.count * percent / 100 / 188 * 188 + 100))
        }
    }

    private static let videos = [
        VideoFixture(name: "h264-aac.mkv", format: .matroska), VideoFixture(name: "vp9-opus.webm", format: .matroska),
        VideoFixture(name: "h264-aac.ts", format: .mpegTS), VideoFixture(name: "mpeg2-mp2.ts", format: .mpegTS),
        VideoFixture(name: "mpeg2-mp2.mpg", format: .mpegPS), VideoFixture(name: "h264-aac.flv", format: .flv),
        VideoFixture(name: "mjpeg-pcm.avi", format: .avi),
        VideoFixture(name: "../media/video-rotated.mp4", format: .mp4),
    ]
    private static let specs = [Workbench.order(.attachment, 1_024), Workbench.order(.poster, 160)]

    @Test(arguments: videos)
    func `a video that ends early is shown up to its end, and its damage is reported`(_ video: VideoFixture) throws {
        let all = try #require(Workbench.run(video.bytes, as: video.format, Self.specs).reports.first).frames
        for side in [UInt32(1_280), 80] {
            let specs = [Workbench.order(.attachment, 1_024, videoSide: side), Workbench.order(.poster, 160)]
            let outcome = Workbench.run(video.part(85), as: video.format, specs, showsDamage: true)
            let report = try #require(outcome.reports.first, "\(outcome.reply.result)")
            let made = try VideoProbe(outcome.outputs[0])
            #expect(report.format == .mp4 && report.frames == made.frames && report.reduction == nil)
            #expect(report.frames < all && report.frames >= all / 2, "\(report.frames) of \(all)")
            // A frame that is predicted from both sides may be missing before the last one. An encoded video repeats
            // another frame instead.
            let frames = try #require(report.damage?.frames)
            #expect(report.damage?.rows == 100 && (frames...frames + 4).contains(report.frames), "\(report)")
            #expect(outcome.reports.last?.damage == nil)
        }
    }

    @Test(arguments: videos)
    func `a video that ends early is corrupt if the job does not accept damage, and its still images are kept`(
        _ video: VideoFixture
    ) {
        for side in [UInt32(1_280), 80] {
            var interim: [TranscodeReply] = []
            let specs = [Workbench.order(.attachment, 1_024, videoSide: side), Workbench.order(.poster, 160)]
            let outcome = Workbench.run(video.part(85), as: video.format, specs) { interim.append($0) }
            #expect(outcome.failure == .corrupt, "\(outcome.reply.result)")
            #expect(interim.count == 1)
        }
    }

    @Test(arguments: videos.filter { $0.format != .mpegTS && $0.format != .mpegPS })
    func `a video with less than half of its frames is corrupt`(_ video: VideoFixture) {
        let outcome = Workbench.run(video.part(40), as: video.format, Self.specs, showsDamage: true)
        #expect(outcome.failure == .corrupt, "\(outcome.reply.result)")
    }

    @Test(arguments: videos)
    func `a complete video and two joined videos have no damage`(_ video: VideoFixture) throws {
        let joined = video.format == .mpegTS ? video.bytes + video.bytes : video.bytes
        for bytes in [video.bytes, joined] {
            let outcome = Workbench.run(bytes, as: video.format, Self.specs, showsDamage: true)
            let report = try #require(outcome.reports.first, "\(outcome.reply.result)")
            #expect(report.format == .mp4 && report.damage == nil)
        }
    }
}
