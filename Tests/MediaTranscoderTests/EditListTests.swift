import Base
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of videos whose edit list hides a part, as `ffmpeg -ss` with `-c copy` and phones write them.
@Suite struct EditListTests {
    struct VideoFixture: Sendable, CustomTestStringConvertible {
        let name: String
        /// The number of shown frames.
        let frames: Int
        /// The time at which the video flashes and the tone sounds, in milliseconds.
        let flash: Double
        var testDescription: String { name }

        var bytes: [UInt8] { Workbench.fixture("../films/\(name)") }
    }

    private static let videos = [
        VideoFixture(name: "edit-end.mp4", frames: 20, flash: 480),
        VideoFixture(name: "edit-key.mp4", frames: 20, flash: 280),
        VideoFixture(name: "edit-start.mp4", frames: 14, flash: 40),
        VideoFixture(name: "edit-one-key.mp4", frames: 14, flash: 40),
    ]

    @Test(arguments: videos, [UInt32(1_280), 80])
    func `a video with an edit list shows the listed part, copied and encoded`(_ video: VideoFixture, _ side: UInt32)
        throws
    {
        let outcome = Workbench.run(
            video.bytes, as: .mp4,
            [Workbench.order(.attachment, 1_024, videoSide: side), Workbench.order(.poster, 160)])
        let report = try #require(outcome.reports.first, "\(outcome.reply.result)")
        let made = try VideoProbe(outcome.outputs[0])
        #expect(made.codecs == ["h264", "aac"])
        #expect(made.frames == video.frames && report.frames == video.frames)
        #expect(abs(Double(report.durationMilliseconds ?? 0) - Double(video.frames) * 40) <= 40)
        let (flash, tone) = (try #require(made.flash), try #require(made.tone))
        #expect(abs(flash - video.flash) <= 1 && abs(tone - video.flash) <= 40, "\(flash) ms, \(tone) ms")
        #expect(report.source?.frames == UInt32(video.frames) && report.source?.soundOmission == nil)
    }

    @Test func `a poster shows the first key frame that the edit list shows`() throws {
        // The list begins at 0.44 s, after the key frame at 0.4 s. The next key frame is at 0.6 s.
        let video = Workbench.fixture("../films/edit-start.mp4")
        let posters = [nil, 0, 200].map { time in
            Workbench.run(video, as: .mp4, [Workbench.order(.poster, 160, at: time)]).outputs[0]
        }
        #expect(!posters[0].isEmpty && posters[0] == posters[2] && posters[0] != posters[1])
    }

    @Test func `a copied video keeps its pixel aspect ratio, and its report has the displayed size`() throws {
        let outcome = Workbench.run(
            Workbench.fixture("../films/anamorphic.mp4"), as: .mp4,
            [Workbench.order(.attachment, 1_024), Workbench.order(.poster, 1_024)])
        #expect(outcome.reports.map { [$0.width, $0.height] } == [[160, 90], [160, 90]])
        let again = Workbench.run(outcome.outputs[0], as: .mp4, [Workbench.order(.poster, 1_024)])
        #expect(again.reports.map { [$0.width, $0.height] } == [[160, 90]])
    }
}
