import Base
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of the still images that are made from the first bytes of a file.
@Suite struct PartialSourceTests {
    struct Part: CustomTestStringConvertible, Sendable {
        var name: String
        var format: MediaFormat
        var percent: Int
        /// The width of the still image, in pixels.
        var width: UInt32

        var testDescription: String { "\(percent) % of \(name)" }
        var bytes: [UInt8] {
            let whole = Workbench.fixture(name)
            return Array(whole.prefix(whole.count * percent / 100))
        }
    }

    private static let specs = [
        Workbench.order(.attachment, 1_024), Workbench.order(.thumbnail, 256), Workbench.order(.poster, 1_024),
    ]

    @Test(arguments: [
        Part(name: "video-1080p.mp4", format: .mp4, percent: 12, width: 1_024),
        Part(name: "../films/vp9-opus.webm", format: .matroska, percent: 60, width: 160),
        Part(name: "../films/h264-aac.mkv", format: .matroska, percent: 60, width: 160),
        Part(name: "../films/h264-fragments.mp4", format: .mp4, percent: 60, width: 160),
        Part(name: "../films/mjpeg-pcm.avi", format: .avi, percent: 20, width: 160),
        Part(name: "../films/h264-aac.ts", format: .mpegTS, percent: 50, width: 160),
    ])
    func `an incomplete video is shown as a still image of its first frame`(_ part: Part) throws {
        let outcome = Workbench.run(part.bytes, as: part.format, Self.specs, isPart: true)
        #expect(outcome.reports.map(\.format) == [.jpeg, .jpeg, .jpeg], "\(outcome.reply)")
        #expect(outcome.reports.first?.width == part.width)
        #expect(outcome.reports.first?.reduction == .still)
    }

    @Test(arguments: [
        Part(name: "progressive.jpg", format: .jpeg, percent: 15, width: 1_024),
        Part(name: "photo-12mp.jpg", format: .jpeg, percent: 60, width: 1_024),
        Part(name: "rgb16.png", format: .png, percent: 70, width: 320),
        Part(name: "animation.gif", format: .gif, percent: 50, width: 200),
    ])
    func `the downloaded part of an incomplete image is shown, and its damage is reported`(_ part: Part) throws {
        let outcome = Workbench.run(
            part.bytes, as: part.format, Array(Self.specs.prefix(2)), showsDamage: true, isPart: true)
        #expect(outcome.reports.count == 2, "\(outcome.reply)")
        #expect(outcome.reports.first?.damage != nil)
    }

    @Test(arguments: [
        Part(name: "video-moov-last.mp4", format: .mp4, percent: 60, width: 0),
        Part(name: "photo-12mp.jpg", format: .jpeg, percent: 20, width: 0),
        Part(name: "picture.webp", format: .webp, percent: 90, width: 0),
        Part(name: "heic-plain.heic", format: .heic, percent: 90, width: 0),
        Part(name: "../sounds/tone.mp3", format: .mp3, percent: 90, width: 0),
        Part(name: "video-1080p.mp4", format: .mp4, percent: 0, width: 0),
    ])
    func `the first bytes of a file are corrupt if they contain no decodable image`(_ part: Part) {
        let outcome = Workbench.run(
            part.bytes, as: part.format, Array(Self.specs.prefix(2)), showsDamage: true, isPart: true)
        #expect(outcome.failure == .corrupt, "\(outcome.reply)")
    }

    @Test func `the still images of an encoded video are reported before the video`() throws {
        var interim: [TranscodeReply] = []
        let specs = [
            Workbench.order(.attachment, 256, videoSide: 320), Workbench.order(.thumbnail, 128),
            Workbench.order(.poster, 256),
        ]
        let outcome = Workbench.run(Workbench.fixture("video-rotated.mp4"), as: .mp4, specs) { interim.append($0) }
        #expect(outcome.reports.first?.format == .mp4)
        #expect(interim.map(\.isInterim) == [true] && interim.map(\.id) == [42])
        #expect(try interim.first?.result.get() == Array(outcome.reports.dropFirst()))
    }

    @Test func `the still images of a video that cannot be copied to its end are reported before the failure`() {
        var interim: [TranscodeReply] = []
        let whole = Workbench.fixture("video-rotated.mp4")
        let outcome = Workbench.run(
            Array(whole.prefix(whole.count * 9 / 10)), as: .mp4,
            [Workbench.order(.attachment, 256), Workbench.order(.poster, 256)]
        ) { interim.append($0) }
        #expect(outcome.failure == .corrupt && interim.map(\.isInterim) == [true])
        #expect((try? interim.first?.result.get())?.map(\.role) == [.poster])
    }

    @Test func `a copied video causes no interim reply`() {
        var interim: [TranscodeReply] = []
        let outcome = Workbench.run(
            Workbench.fixture("video-rotated.mp4"), as: .mp4, [Workbench.order(.attachment, 256)]
        ) { interim.append($0) }
        #expect(outcome.reports.first?.format == .mp4 && interim.isEmpty)
    }

    @Test(arguments: [("changing-size.ts", 1), ("h264-aac.ts", 2)])
    func `the still images of a video whose copy fails are reported before its encoding`(
        _ name: String, _ parts: Int
    ) throws {
        var interim: [TranscodeReply] = []
        let bytes = (0..<parts).flatMap { _ in Workbench.fixture("../films/\(name)") }
        let specs = [Workbench.order(.attachment, 1_024), Workbench.order(.poster, 160)]
        let outcome = Workbench.run(bytes, as: .mpegTS, specs) { interim.append($0) }
        #expect(outcome.reports.first?.format == .mp4 && interim.map(\.isInterim) == [true])
        #expect(try interim.first?.result.get() == Array(outcome.reports.dropFirst()))
    }
}
