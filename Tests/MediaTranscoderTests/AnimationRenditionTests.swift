import Base
import Glibc
import MediaHeaders
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of the renditions of animations. In the fixtures, a bar moves to the right over six frames of 96 × 64
/// pixels.
struct AnimationRenditionTests {
    private static let delays = [30, 70, 100, 400, 33, 250]
    private static let drawn = [0, 16, 32, 48, 64, 80]

    private static func order(
        videos: Bool = false, web: Bool = false, side: UInt32 = 1_024, bytes: UInt64 = 10_000_000
    ) -> RenditionSpec {
        var order = Workbench.order(.attachment, side, videoSide: side, imageBytes: bytes)
        (order.takesVideos, order.takesWebAnimations) = (videos, web)
        return order
    }

    static let files: [(String, MediaFormat)] = [
        ("drawing.webp", .webp), ("drawing.png", .png), ("drawing.avif", .avif), ("alpha.webp", .webp),
        ("alpha.png", .png), ("alpha.avif", .avif),
    ]

    @Test(arguments: files)
    func `the decoded frames of an animation are composed, and have the times that players use`(
        _ name: String, _ format: MediaFormat
    ) throws {
        let animation = try AnimationFile(AnimationFile.fixture(name), as: format)
        #expect(animation.facts.delays == Self.delays && animation.facts.frames == 6)
        #expect(animation.frames.count == 6)
        for (index, left) in Self.drawn.enumerated() {
            let found = try #require(animation.bar(index), "\(name) \(index)")
            #expect(abs(found - left) <= 1, "\(name) \(index)")
            let paper = animation.pixel(index, x: left < 48 ? 90 : 4, y: 4)
            #expect(name.hasPrefix("alpha") ? paper[3] < 20 : paper[3] == 255 && paper[0] > 225, "\(name) \(index)")
        }
    }

    @Test(arguments: files)
    func `an animation becomes a GIF with the same frames and times`(_ name: String, _ format: MediaFormat) throws {
        // The GIF is smaller than the fixtures, so that none of them is copied.
        let outcome = Workbench.run(AnimationFile.fixture(name), as: format, [Self.order(side: 90)])
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        #expect(report.format == .gif && report.frames == 6 && report.sourceFrames == nil)
        #expect(report.width == 90 && report.height == 60)
        let gif = try AnimationFile(outcome.outputs[0], as: .gif)
        #expect(gif.frames.count == 6 && gif.facts.durationMilliseconds == 880)
        #expect(gif.facts.delays == [30, 70, 100, 400, 30, 250])
        for (index, left) in Self.drawn.enumerated() {
            let found = try #require(gif.bar(index), "\(name) \(index)")
            #expect(abs(found - left * 90 / 96) <= 2, "\(name) \(index)")
            let paper = gif.pixel(index, x: left < 48 ? 85 : 4, y: 4)
            #expect(paper[3] == (name.hasPrefix("alpha") ? 0 : 255), "\(name) \(index)")
        }
    }

    @Test(arguments: [("photo.webp", MediaFormat.webp), ("photo.png", .png), ("photo.avif", .avif)])
    func `an opaque animation becomes a video of the same length if videos are accepted`(
        _ name: String, _ format: MediaFormat
    ) throws {
        let outcome = Workbench.run(AnimationFile.fixture(name), as: format, [Self.order(videos: true, side: 64)])
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        #expect(report.format == .mp4 && report.durationMilliseconds == 883 && report.sourceFrames == nil)
        let video = try VideoProbe(outcome.outputs[0])
        #expect(Int(report.frames) == video.frames && video.frames > 6)
        let streams = try #require(report.streams)
        #expect(streams.videoCodec == "h264" && streams.audioCodec == nil)
        let rate = Double(video.frames) * 1_000 / 883
        #expect(abs((streams.frameRate ?? 0) - rate) < rate / 50, "\(streams)")
        #expect(video.codecs == ["h264"] && abs(video.duration - 883) < 12)
        #expect(Set(video.steps.map { $0.rounded() }).count == 1, "\(video.steps)")
    }

    @Test(arguments: [
        ("alpha.webp", MediaFormat.webp), ("alpha.png", .png), ("alpha.avif", .avif), ("alpha.gif", .gif),
    ])
    func `an animation with transparent parts does not become a video`(_ name: String, _ format: MediaFormat) throws {
        let outcome = Workbench.run(AnimationFile.fixture(name), as: format, [Self.order(videos: true, side: 64)])
        #expect(outcome.reports.first?.format == .gif, "\(outcome.reply)")
        let gif = try AnimationFile(outcome.outputs[0], as: .gif)
        #expect(gif.pixel(5, x: 2, y: 2)[3] == 0 && gif.bar(5) ?? 0 > 40)
    }

    @Test func `an APNG that fits is copied, and a WebP or AVIF that fits is copied if its format is accepted`() throws
    {
        for (name, format, made) in [
            ("drawing.png", MediaFormat.png, MediaFormat.png), ("drawing.webp", .webp, .webp),
            ("drawing.avif", .avif, .avif),
        ] {
            let source = AnimationFile.fixture(name)
            let outcome = Workbench.run(source, as: format, [Self.order(web: true)])
            let report = try #require(outcome.reports.first, "\(outcome.reply)")
            #expect(report.format == made && report.frames == 6 && report.durationMilliseconds == 883)
            #expect(outcome.outputs[0] == source, "\(name)")
            #expect(report.blurhash != nil)
        }
    }

    @Test func `a copied animated WebP keeps its frames, and has no EXIF`() throws {
        let source = AnimationFile.fixture("exif.webp")
        let outcome = Workbench.run(source, as: .webp, [Self.order(web: true)])
        #expect(outcome.reports.first?.format == .webp, "\(outcome.reply)")
        let header = try WebPHeader(file: outcome.outputs[0])
        #expect(header.isComplete && !header.hasMetadata && header.kept?.isWhole(of: outcome.outputs[0].count) == true)
        #expect(try AnimationFile(outcome.outputs[0], as: .webp).frames == AnimationFile(source, as: .webp).frames)
    }

    @Test func `an animation that no decoder composes becomes a still image`() throws {
        let source = AnimationFile.fixture("16-bits.png")
        let outcome = Workbench.run(source, as: .png, [Self.order(side: 4)])
        #expect(outcome.reports.first?.format == .png && outcome.reports.first?.frames == 1, "\(outcome.reply)")
    }

    @Test func `a sequence whose tables declare 2,147,483,647 frames becomes a still image`() throws {
        var source = AnimationFile.fixture("photo.avif")
        let table = try #require(source.firstRange(of: Array("stsz".utf8)))
        // The version and the common size of the frames do not change. The number of frames, which follows them, is
        // replaced.
        source.replaceSubrange(table.upperBound + 8..<table.upperBound + 12, with: [0x7F, 0xFF, 0xFF, 0xFF])
        for web in [false, true] {
            let outcome = Workbench.run(source, as: .heic, [Self.order(web: web, side: 64)])
            #expect(outcome.reports.first?.frames == 1 && outcome.reports.first?.format == .jpeg, "\(outcome.reply)")
        }
    }

    @Test func `a sequence with damaged frames is shown as its primary image`() throws {
        var source = AnimationFile.fixture("photo.avif")
        let table = try #require(source.firstRange(of: Array("stsz".utf8)))
        // The second frame extends beyond the end of the file.
        let size = table.upperBound + 16
        source.replaceSubrange(size..<size + 4, with: [0, 0x10, 0, 0])
        let outcome = Workbench.run(source, as: .heic, [Self.order(side: 64)])
        #expect(outcome.reports.first?.frames == 1 && outcome.reports.first?.format == .jpeg, "\(outcome.reply)")
    }

    @Test(arguments: [("1001-frames.webp", MediaFormat.webp), ("1001-frames.png", .png)])
    func `an animation with too many frames is cut to its first frames`(_ name: String, _ format: MediaFormat) throws {
        let outcome = Workbench.run(AnimationFile.fixture(name), as: format, [Self.order(videos: true, web: true)])
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        #expect(report.frames == 1_000 && report.keptFrames == 1_000 && report.sourceFrames == 1_001)
        #expect(report.durationMilliseconds == 20_000)
    }

    @Test func `the video of a cut animation reports its own frames and the kept frames of the source`() throws {
        var limits = DecodeLimits()
        limits.frames = 4
        let outcome = Workbench.run(
            AnimationFile.fixture("photo.webp"), as: .webp, [Self.order(videos: true, side: 64)], limits: limits)
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        #expect(report.format == .mp4 && report.keptFrames == 4 && report.sourceFrames == 6)
        let video = try VideoProbe(outcome.outputs[0])
        #expect(Int(report.frames) == video.frames && video.frames > 4)
    }

    @Test func `a GIF that is cut to fit its cap reports its frames and all frames of its source`() throws {
        let outcome = Workbench.run(
            AnimationFile.fixture("1001-frames.webp"), as: .webp, [Self.order(side: 96, bytes: 3_000)])
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        #expect(report.format == .gif && report.sourceFrames == 1_001)
        let kept = try #require(report.keptFrames)
        #expect(kept >= report.frames && kept < 1_000, "\(report)")
    }

    @Test func `a copied APNG reports the number of frames in the file, not the number in its control chunk`() throws {
        let source = try AnimationFile.png("drawing.png", frames: 9)
        let outcome = Workbench.run(source, as: .png, [Self.order()])
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        #expect(report.format == .png && report.frames == 6 && report.sourceFrames == nil)
        #expect(outcome.outputs[0] == source)
    }

    @Test(arguments: files)
    func `a decoder returns at most the wanted frames`(_ name: String, _ format: MediaFormat) throws {
        let descriptor = Workbench.temporaryFile(AnimationFile.fixture(name))
        defer { close(descriptor) }
        let input = try MappedInput.map(descriptor)
        var limits = DecodeLimits()
        limits.frames = 4
        let facts = try input.withBytes { span throws(TranscodeFailure) in
            try ImageInspection.inspect(span, as: format, limits: limits)
        }
        let frames = try facts.frames(of: input)
        var count = 0
        while try frames.next() != nil { count += 1 }
        #expect(count == 4 && facts.sourceFrames == 6)
    }

    @Test(arguments: [("photo.png", MediaFormat.png, 3), ("alpha.png", .png, 4), ("alpha.gif", .gif, 4)])
    func `an animation whose decoded size equals the limit is encoded again`(
        _ name: String, _ format: MediaFormat, _ bytesPerPixel: UInt64
    ) throws {
        var limits = DecodeLimits()
        limits.decodedBytes = 96 * 64 * bytesPerPixel
        let outcome = Workbench.run(AnimationFile.fixture(name), as: format, [Self.order(side: 64)], limits: limits)
        #expect(outcome.reports.first?.frames == 6, "\(outcome.reply)")
        limits.decodedBytes -= 1
        let refused = Workbench.run(AnimationFile.fixture(name), as: format, [Self.order(side: 64)], limits: limits)
        #expect(refused.failure == .tooManyPixels, "\(refused.reply)")
    }

    @Test func `an animation without enough memory becomes a still image, and a damaged animation is refused`() {
        for (code, format, isStill) in [
            (TranscodeFailureCode.tooManyPixels, MediaFormat.png, true), (.unsupported, .png, true),
            (.tooLarge, .gif, true), (.corrupt, .heic, true), (.corrupt, .png, false), (.storage, .heic, false),
            (.internalFault, .webp, false),
        ] {
            #expect(AnimationTranscode.leavesStill(TranscodeFailure(code, ""), from: format) == isStill, "\(code)")
        }
    }

    @Test func `an animation becomes a still image if animations are not accepted`() throws {
        var order = Self.order(side: 64)
        order.takesAnimations = false
        for (name, format) in Self.files {
            let outcome = Workbench.run(AnimationFile.fixture(name), as: format, [order])
            #expect(outcome.reports.first?.frames == 1 && outcome.reports.first?.format != .gif, "\(outcome.reply)")
        }
    }

    @Test(arguments: [3_000, 1_200, 700] as [UInt64])
    func `an animation is reduced until it fits the cap`(_ bytes: UInt64) throws {
        for (name, format) in [("photo.webp", MediaFormat.webp), ("photo.png", .png)] {
            let outcome = Workbench.run(AnimationFile.fixture(name), as: format, [Self.order(side: 95, bytes: bytes)])
            let report = try #require(outcome.reports.first, "\(outcome.reply)")
            #expect(report.bytes <= bytes && report.bytes == UInt64(outcome.outputs[0].count), "\(name)")
        }
    }

    @Test(arguments: files + [("alpha.gif", .gif)])
    func `a thumbnail shows the requested frame, and the last frame for a later number`(
        _ name: String, _ format: MediaFormat
    ) throws {
        for (seconds, frame) in [(UInt32(0), 0), (3, 3), (9, 5)] {
            let specs = [Self.order(web: true), Workbench.order(.thumbnail, 96, at: seconds * 1_000)]
            let outcome = Workbench.run(AnimationFile.fixture(name), as: format, specs)
            let report = try #require(outcome.reports.last, "\(outcome.reply)")
            let (column, paper) = (Self.drawn[frame] + 8, (Self.drawn[frame] + 56) % 96)
            let made = report.format
            #expect(try Workbench.mean(outcome.outputs[1], as: made, x: column, y: 32)[0] < 90, "\(name) \(seconds)")
            let other = try Workbench.mean(outcome.outputs[1], as: made, x: paper, y: 32)
            #expect(other[3] == 0 || other[0] > 200, "\(name) \(seconds)")
        }
    }
}
