import Base
import MediaHeaders
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

@Suite struct VideoRenditionTests {
    /// Returns the types of the boxes at the top level of an MP4, in their order.
    private func boxes(_ bytes: [UInt8]) -> [String] {
        var types: [String] = []
        var offset = 0
        while offset + 8 <= bytes.count {
            let size = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            types.append(String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self))
            guard size >= 8 else { break }
            offset += size
        }
        return types
    }

    @Test(arguments: ["video-moov-last.mp4", "video-silent.mp4", "video-rotated.mp4"])
    func `a video that fits is copied, and its index is moved to the beginning`(_ name: String) throws {
        let source = Workbench.fixture(name)
        let outcome = Workbench.run(source, as: .mp4, [Workbench.order(.attachment, 1_024)])
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        let types = boxes(outcome.outputs[0])
        #expect(report.format == .mp4 && report.frames > 1 && (report.durationMilliseconds ?? 0) >= 1_000)
        #expect(report.bytes == outcome.outputs[0].count)
        #expect(types.first == "ftyp")
        #expect(try #require(types.firstIndex(of: "moov")) < #require(types.firstIndex(of: "mdat")))
        // The copy can be transcoded like any other source.
        let again = Workbench.run(outcome.outputs[0], as: .mp4, [Workbench.order(.poster, 200)])
        #expect(again.reports.first?.role == .poster)
    }

    @Test func `a rotated video is upright as a copy, as an encoded video and in still images`() throws {
        let source = Workbench.fixture("video-rotated.mp4")
        let copy = Workbench.run(
            source, as: .mp4, [Workbench.order(.attachment, 1_024), Workbench.order(.poster, 320)])
        #expect(copy.reports.map { [$0.width, $0.height] } == [[360, 640], [180, 320]])
        let small = Workbench.run(
            source, as: .mp4, [Workbench.order(.attachment, 1_024, videoSide: 320), Workbench.order(.thumbnail, 100)])
        #expect(small.reports.map { [$0.width, $0.height] } == [[180, 320], [56, 100]])
        // The encoded video has no display matrix. Its poster is the same image as that of the copy.
        let poster = Workbench.run(small.outputs[0], as: .mp4, [Workbench.order(.poster, 320)])
        #expect(poster.reports.map { [$0.width, $0.height] } == [[180, 320]])
        for (x, y) in [(20, 20), (160, 20), (20, 300), (160, 300)] {
            let wanted = try Workbench.pixel(copy.outputs[1], as: .jpeg, x: x, y: y)
            let found = try Workbench.pixel(poster.outputs[0], as: .jpeg, x: x, y: y)
            #expect(zip(found, wanted).allSatisfy { abs($0 - $1) < 40 }, "\(found) at \(x),\(y) is not \(wanted)")
        }
    }

    @Test func `a large video is encoded again with its sound`() throws {
        let outcome = Workbench.run(
            Workbench.fixture("video-moov-last.mp4"), as: .mp4, [Workbench.order(.attachment, 1_024, videoSide: 160)])
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        #expect(report.width == 160 && report.height == 90 && report.frames == 60)
        #expect(boxes(outcome.outputs[0]).prefix(2) == ["ftyp", "moov"])
        #expect(outcome.outputs[0].contains(Array("mp4a".utf8)))
    }

    @Test func `a video is reduced to fit its cap, and is cut or refused if necessary`() throws {
        let source = Workbench.fixture("video-moov-last.mp4")
        let tight = Workbench.run(
            source, as: .mp4, [Workbench.order(.attachment, 1_024, videoSide: 640, videoBytes: 90_000)])
        #expect(try #require(tight.reports.first, "\(tight.reply)").bytes <= 90_000)
        let cut = Workbench.run(
            source, as: .mp4, [Workbench.order(.attachment, 1_024, videoSide: 640, videoBytes: 9_000)])
        let report = try #require(cut.reports.first, "\(cut.reply)")
        #expect(report.bytes <= 9_000 && report.source?.isCut == true && report.frames < 60)
        let impossible = Workbench.run(
            source, as: .mp4, [Workbench.order(.attachment, 1_024, videoSide: 640, videoBytes: 1_000)])
        #expect(impossible.failure == .tooLarge)
    }

    @Test func `a video is copied up to the longest side of copies, and a larger video is encoded again`() throws {
        let source = Workbench.fixture("video-1080p.mp4")
        for (copied, width) in [(1_920, 1_920), (1_919, 640)] as [(UInt32, UInt32)] {
            let order = Workbench.order(.attachment, 1_024, videoSide: 640, copiedVideoSide: copied)
            #expect(Workbench.run(source, as: .mp4, [order]).reports.first?.width == width)
        }
    }

    @Test func `the still images at different times come from different key frames`() throws {
        let source = Workbench.fixture("video-1080p.mp4")
        let outcome = Workbench.run(
            source, as: .mp4, [Workbench.order(.poster, 320, at: 0), Workbench.order(.thumbnail, 320, at: 60_000)])
        #expect(outcome.reports.map(\.format) == [.jpeg, .jpeg])
        #expect(outcome.reports.map { [$0.width, $0.height] } == [[320, 180], [320, 180]])
    }

    @Test func `a truncated video is corrupt`() {
        let source = Workbench.fixture("video-rotated.mp4")
        let outcome = Workbench.run(Array(source.dropLast(9_000)), as: .mp4, [Workbench.order(.attachment, 1_024)])
        #expect(outcome.failure == .corrupt)
    }

    @Test func `an animated GIF that fits is copied, and a large GIF becomes a video of the same length`() throws {
        let source = Workbench.fixture("animation.gif")
        let header = try GIFHeader(file: source)
        let kept = Workbench.run(
            source, as: .gif, [Workbench.order(.attachment, 1_024), Workbench.order(.thumbnail, 100)])
        #expect(kept.reports.map(\.format) == [.gif, .png])
        #expect(try GIFHeader(file: kept.outputs[0]).frameCount == header.frameCount)
        let video = Workbench.run(source, as: .gif, [Workbench.order(.attachment, 200, videoSide: 200)])
        let report = try #require(video.reports.first, "\(video.reply)")
        #expect(report.format == .mp4 && report.frames == header.frameCount)
        #expect(report.durationMilliseconds == UInt64(header.durationMilliseconds))
        #expect(report.width == 200 && report.height == 150)
        let again = Workbench.run(video.outputs[0], as: .mp4, [Workbench.order(.attachment, 200)])
        #expect(again.reports.first?.durationMilliseconds == report.durationMilliseconds)
    }

    @Test(arguments: [
        ("gif-1001-frames.gif", 1_000, 1_001, 100_000), ("gif-11-minutes.gif", 10, 11, 600_000),
    ])
    func `a GIF with too many frames or a long duration is cut, copied or encoded`(
        _ name: String, _ frames: UInt32, _ all: UInt32, _ milliseconds: UInt64
    ) throws {
        let source = Workbench.fixture("../corners/" + name)
        for side in [UInt32(1_024), 4] {
            let order = Workbench.order(.attachment, side, videoSide: 64)
            let outcome = Workbench.run(source, as: .gif, [order, Workbench.order(.thumbnail, 4)])
            let report = try #require(outcome.reports.first, "\(outcome.reply)")
            #expect(report.format == .gif)
            #expect(report.frames == frames && report.keptFrames == frames && report.sourceFrames == all)
            #expect(report.durationMilliseconds == milliseconds)
            #expect(outcome.reports.last?.sourceFrames == nil)
            let copy = try GIFHeader(file: outcome.outputs[0])
            #expect(copy.frameCount == Int(frames) && copy.isComplete && !copy.hasMetadata)
        }
    }

    @Test func `the area of a removed GIF frame is transparent in the smaller GIF`() throws {
        let source = Workbench.fixture("../corners/gif-disposed.gif")
        let outcome = Workbench.run(source, as: .gif, [Workbench.order(.attachment, 32, videoSide: 64)])
        #expect(outcome.reports.first?.format == .gif, "\(outcome.reply)")
        let gif = try AnimationFile(outcome.outputs[0], as: .gif)
        #expect(gif.frames.count == 2 && gif.pixel(0, x: 2, y: 2)[3] == 255)
        #expect(gif.pixel(1, x: 2, y: 2)[3] == 0 && gif.pixel(1, x: 16, y: 12)[3] == 255)
    }

    @Test(arguments: ["animation.gif", "still.gif"])
    func `a GIF with a missing or wrong trailer has the same renditions as the intact GIF`(_ name: String) throws {
        let source = Workbench.fixture(name)
        let specs = [Workbench.order(.attachment, 1_024), Workbench.order(.attachment, 120, videoSide: 120)]
        let whole = Workbench.run(source, as: .gif, specs)
        #expect(whole.reports.count == 2, "\(whole.reply)")
        for junk: [UInt8] in [[], [0], Array("<!-- served in 3 ms -->".utf8)] {
            let outcome = Workbench.run(source.dropLast() + junk, as: .gif, specs)
            #expect(outcome.outputs == whole.outputs, "\(outcome.reply)")
        }
    }
}
