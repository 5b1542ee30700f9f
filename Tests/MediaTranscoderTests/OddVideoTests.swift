import Base
import CFFmpeg
import Glibc
import LinuxIO
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of unusual videos (scripts/make-film-fixtures). The renditions, copied or encoded, show the videos
/// correctly.
@Suite struct OddVideoTests {
    struct VideoFixture: Sendable, CustomTestStringConvertible {
        let name: String
        let format: MediaFormat
        let isCopied: Bool
        /// The number of frames in the rendition at full size, and at 80 pixels.
        let frames: (full: Int, small: Int)
        /// The time between the frames of the rendition at 80 pixels, in milliseconds.
        let step: Double
        var hasSound = true
        var sound = "aac"
        var testDescription: String { name }

        var bytes: [UInt8] { Workbench.fixture("../films/\(name)") }
    }

    private static let videos = [
        VideoFixture(name: "interlaced.ts", format: .mpegTS, isCopied: false, frames: (25, 25), step: 40),
        VideoFixture(name: "interlaced.mov", format: .mp4, isCopied: false, frames: (25, 25), step: 40),
        VideoFixture(name: "uneven.webm", format: .matroska, isCopied: false, frames: (25, 25), step: 40),
        VideoFixture(name: "uneven.mp4", format: .mp4, isCopied: true, frames: (16, 30), step: 33.3),
        VideoFixture(name: "fast.mp4", format: .mp4, isCopied: true, frames: (100, 50), step: 20),
        VideoFixture(name: "several-tracks.mkv", format: .matroska, isCopied: true, frames: (25, 25), step: 40),
        VideoFixture(
            name: "black-start.ts", format: .mpegTS, isCopied: true, frames: (25, 25), step: 40, hasSound: false),
        VideoFixture(
            name: "black-start.webm", format: .matroska, isCopied: false, frames: (25, 25), step: 40, hasSound: false),
        // The first empty chunk follows the first frame, which lasts 80 ms.
        VideoFixture(name: "gaps.avi", format: .avi, isCopied: false, frames: (26, 26), step: 40, sound: "mp3"),
        VideoFixture(name: "gaps-h264.avi", format: .avi, isCopied: false, frames: (25, 25), step: 40, sound: "mp3"),
        VideoFixture(name: "half-rate.avi", format: .avi, isCopied: false, frames: (25, 25), step: 40, sound: "mp3"),
        VideoFixture(name: "noise.mp4", format: .mp4, isCopied: true, frames: (80, 80), step: 100),
    ]

    @Test(arguments: videos)
    func `the rendition of an unusual video has the right duration, frame times and synchronization`(
        _ video: VideoFixture
    ) throws {
        for side in [UInt32(1_280), 80] {
            let outcome = Workbench.run(
                video.bytes, as: video.format, [Workbench.order(.attachment, 1_024, videoSide: side)])
            let report = try #require(outcome.reports.first, "\(outcome.reply.result)")
            let made = try VideoProbe(outcome.outputs[0])
            let isCopied = video.isCopied && side == 1_280
            #expect(
                made.frames == (side == 80 ? video.frames.small : video.frames.full) && report.frames == made.frames)
            #expect(made.codecs == (video.hasSound ? ["h264", video.sound] : ["h264"]))
            if !isCopied { #expect(made.steps.allSatisfy { abs($0 - video.step) <= 2 }, "\(made.steps)") }
            let length = video.name.hasPrefix("noise") ? 8_000.0 : 1_000
            #expect(abs(made.duration - length) <= 41, "\(made.duration)")
            #expect(abs(Double(report.durationMilliseconds ?? 0) - length) <= 81)
            guard video.hasSound, length == 1_000 else { continue }
            let (flash, tone) = (try #require(made.flash), try #require(made.tone))
            #expect(abs(flash - tone) <= 40, "the picture flashes at \(flash) ms, the tone sounds at \(tone) ms")
        }
    }

    @Test(arguments: [
        ("black-start.ts", MediaFormat.mpegTS), ("black-start.webm", .matroska), ("black-start-10bit.mp4", .mp4),
    ])
    func `the poster of a video with a black beginning shows a later key frame, also without an index`(
        _ name: String, _ format: MediaFormat
    ) throws {
        let outcome = Workbench.run(
            Workbench.fixture("../films/\(name)"), as: format, [Workbench.order(.poster, 160)])
        let color = try Workbench.mean(outcome.outputs[0], as: .jpeg, x: 80, y: 60, radius: 40)
        #expect(color[0] + color[1] + color[2] > 150, "\(color)")
    }

    @Test func `a video stream whose size changes is encoded in its first size`() throws {
        let outcome = Workbench.run(
            Workbench.fixture("../films/changing-size.ts"), as: .mpegTS, [Workbench.order(.attachment, 1_024)])
        let report = try #require(outcome.reports.first, "\(outcome.reply.result)")
        #expect([report.width, report.height] == [160, 120])
        let made = try VideoProbe(outcome.outputs[0])
        #expect((22...24).contains(made.frames) && abs(made.duration - 960) <= 80)
    }

    /// The video has white images of 4:3, 16:9 and 9:16, and of 4:3 with pixels of double width, in frames of 160 × 120
    /// pixels.
    @Test func `a frame with another aspect ratio is shown completely, with black bars`() throws {
        let outcome = Workbench.run(
            Workbench.fixture("../films/changing-shape.ts"), as: .mpegTS, [Workbench.order(.attachment, 1_024)])
        let report = try #require(outcome.reports.first, "\(outcome.reply.result)")
        #expect([report.width, report.height] == [160, 120])
        var images: [[Int]] = []
        try VideoProbe.forEachImage(in: outcome.outputs[0]) { frame in
            let stride = frame.stride(0)
            // `columns` and `rows` are the white pixels in the middle row and the middle column. `middle` is their
            // distance from the center.
            let (columns, rows) = frame.withPlane(0) { luma in
                (
                    (0..<160).filter { luma[60 * stride + $0] > 128 }, (0..<120).filter { luma[$0 * stride + 80] > 128 }
                )
            }
            let middle = [(columns.first ?? 0) + (columns.last ?? 0) - 159, (rows.first ?? 0) + (rows.last ?? 0) - 119]
            #expect(middle.allSatisfy { abs($0) <= 2 }, "\(columns), \(rows)")
            if images.last != [columns.count, rows.count] { images.append([columns.count, rows.count]) }
        }
        #expect(images.count == 4, "\(images)")
        for (image, expected) in zip(images, [[160, 120], [160, 90], [68, 120], [160, 60]]) {
            #expect(zip(image, expected).allSatisfy { abs($0 - $1) <= 2 }, "\(images)")
        }
    }

    @Test func `a gap of minutes is filled with frames until the deadline`() throws {
        let video = Workbench.fixture("../films/gap.mp4")
        let order = Workbench.order(.attachment, 1_024, copiedVideoSide: 80)
        let whole = Workbench.run(video, as: .mp4, [order])
        #expect(try #require(whole.reports.first).frames > 7_000)
        let (input, output) = (Workbench.temporaryFile(video), Workbench.temporaryFile([]))
        defer { for descriptor in [input, output] { close(descriptor) } }
        let source = try MappedInput.map(input)
        let limits = DecodeLimits()
        let facts = try #require(try VideoFacts.inspect(source, as: .mp4, limits: limits))
        var clock = StageClock()
        let attempt = try VideoReencode.attempt(
            source, facts: facts, plan: .fitting(order, facts, share: 1, isLastTry: false), preset: .ultrafast,
            order: order, output: output, limits: limits, clock: &clock, deadline: MonotonicClock.microseconds)
        guard case .late = attempt else {
            Issue.record("the attempt ended after its deadline: \(attempt)")
            return
        }
    }

    @Test(arguments: ["hlg.mp4", "pq.mp4"])
    func `an encoded HDR video has the tones of its poster, and declares BT.709`(_ name: String) throws {
        let outcome = Workbench.run(
            Workbench.fixture("../films/\(name)"), as: .mp4,
            [Workbench.order(.attachment, 1_024, videoSide: 80), Workbench.order(.poster, 160)])
        #expect(outcome.reports.count == 2, "\(outcome.reply.result)")
        let again = Workbench.run(outcome.outputs[0], as: .mp4, [Workbench.order(.poster, 80)])
        let made = try Workbench.mean(again.outputs[0], as: .jpeg, x: 40, y: 30, radius: 8)
        let poster = try Workbench.mean(outcome.outputs[1], as: .jpeg, x: 80, y: 60, radius: 8)
        #expect(zip(made, poster).allSatisfy { abs($0 - $1) <= 4 }, "\(made) is not \(poster)")
        let descriptor = Workbench.temporaryFile(outcome.outputs[0])
        defer { close(descriptor) }
        let demuxer = try Demuxer.open(MappedInput.map(descriptor), as: .mp4)
        let parameters = unsafe try #require(demuxer.stream(0)).parameters
        #expect(unsafe parameters.pointee.color_trc == AVCOL_TRC_BT709)
        #expect(unsafe parameters.pointee.color_primaries == AVCOL_PRI_BT709)
    }

    @Test func `an encoded video has the colors that its key frames declare`() throws {
        let outcome = Workbench.run(
            Workbench.fixture("../films/bt601.mp4"), as: .mp4,
            [Workbench.order(.attachment, 1_024, videoSide: 80), Workbench.order(.poster, 160)])
        let descriptor = Workbench.temporaryFile(outcome.outputs[0])
        defer { close(descriptor) }
        let demuxer = try Demuxer.open(MappedInput.map(descriptor), as: .mp4)
        let colors = demuxer.stream(0).map { VideoColors($0) }
        let expected = VideoColors(
            matrix: AVCOL_SPC_SMPTE170M, primaries: AVCOL_PRI_SMPTE170M, transfer: AVCOL_TRC_SMPTE170M)
        #expect(colors == expected)
    }

    @Test func `the first video stream that can be decoded is shown`() throws {
        let outcome = Workbench.run(
            Workbench.fixture("../films/undecoded-picture.mkv"), as: .matroska,
            [Workbench.order(.attachment, 1_024), Workbench.order(.poster, 160)])
        let report = try #require(outcome.reports.first, "\(outcome.reply.result)")
        #expect([report.width, report.height] == [160, 120] && report.frames == 25)
        #expect(report.source?.streams.videoCodec == "h264")
    }

    @Test func `an encrypted video is refused as encrypted`() {
        let outcome = Workbench.run(
            Workbench.fixture("../films/encrypted.mp4"), as: .mp4,
            [Workbench.order(.attachment, 1_024), Workbench.order(.poster, 160)])
        #expect(outcome.failure == .unsupported && "\(outcome.reply.result)".contains("encrypted"))
    }

    @Test func `a video with one frame is shown, both copied and encoded`() throws {
        for side in [UInt32(1_280), 80] {
            let outcome = Workbench.run(
                Workbench.fixture("../films/one-frame.mp4"), as: .mp4,
                [Workbench.order(.attachment, 1_024, videoSide: side), Workbench.order(.poster, 160)])
            #expect(outcome.reports.first?.frames == 1, "\(outcome.reply.result)")
            #expect(try VideoProbe(outcome.outputs[0]).frames == 1)
        }
    }

    @Test func `a deinterlaced frame shows only one of its two fields`() throws {
        let frame = try Frame.allocate(width: 32, height: 16, format: AV_PIX_FMT_YUV420P)
        for plane in 0..<3 {
            let stride = frame.stride(plane)
            frame.withMutablePlane(plane) { bytes in
                for index in 0..<bytes.count { bytes[index] = index / stride % 2 == 0 ? 60 : 200 }
            }
        }
        let wasInterlaced = frame.isInterlaced
        unsafe frame.pointer.pointee.interlaced_frame = 1
        let isInterlaced = frame.isInterlaced
        #expect(!wasInterlaced && isInterlaced)
        let whole = try frame.deinterlaced()
        let (height, isStillInterlaced) = (whole.height, whole.isInterlaced)
        #expect(height == 16 && !isStillInterlaced)
        for row in 0..<16 {
            let luma = whole.withPlane(0) { [stride = whole.stride(0)] in $0[row * stride + 16] }
            #expect(abs(Int(luma) - 60) <= 1, "row \(row) has \(luma)")
        }
    }

    @Test(arguments: videos)
    func `an unusual video that ends early does not cause an internal failure`(_ video: VideoFixture) {
        let bytes = video.bytes
        for part in [1, 3, 5, 8, 13] {
            let outcome = Workbench.run(
                Array(bytes.prefix(bytes.count * part / 16)), as: video.format,
                [Workbench.order(.attachment, 64), Workbench.order(.poster, 64)])
            #expect(outcome.failure != .internalFault, "\(part) of 16: \(outcome.reply.result)")
        }
    }
}
