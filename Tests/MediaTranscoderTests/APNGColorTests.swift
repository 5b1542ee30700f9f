import Base
import CFFmpeg
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of animated PNGs whose cICP chunk names their colors. FFmpeg's decoder does not read that chunk.
@Suite struct APNGColorTests {
    private static let places = [(10, 8), (30, 8), (10, 24), (30, 24)]

    private static func control(_ number: Int) -> [UInt8] {
        SamplePNG.big(number) + SamplePNG.big(40) + SamplePNG.big(32) + SamplePNG.big(0) + SamplePNG.big(0)
            + [0, 1, 0, 2, 0, 0]
    }

    /// Returns an animation with two frames of the same image.
    private static func animation(of still: SamplePNG) -> [UInt8] {
        var png = still
        png.chunks += [("acTL", SamplePNG.big(2) + SamplePNG.big(0)), ("fcTL", control(0))]
        var bytes = png.bytes
        let second = SamplePNG.chunk("fcTL", control(1)) + SamplePNG.chunk("fdAT", SamplePNG.big(2) + png.data)
        bytes.insert(contentsOf: second, at: bytes.count - 12)
        return bytes
    }

    /// Adds noise to a still image. Its animation has too many colors for a GIF, and becomes an MP4.
    private static func noisy(_ still: SamplePNG) -> SamplePNG {
        var png = still
        let most = still.bitDepth == 16 ? 65_535 : 255
        png.pixel = { x, y in
            let samples = still.pixel(x, y)
            return (0..<3).map { part in
                let noise = (x * 37 + y * 101 + part * (17 + x * y)) % 9 - 4
                return max(0, min(most, samples[part] + noise * (most / 255)))
            } + samples.suffix(1)
        }
        return png
    }

    private static func made(_ bytes: [UInt8], takesVideos: Bool) throws -> (RenditionReport, [UInt8]) {
        var order = Workbench.order(.attachment, 38, videoSide: 40)
        order.takesVideos = takesVideos
        let outcome = Workbench.run(bytes, as: .png, [order])
        return (try #require(outcome.reports.first, "\(outcome.reply)"), outcome.outputs[0])
    }

    private static func expect(_ pixels: [[Int]], near colors: [[Int]], within: Int) {
        for (pixel, color) in zip(pixels, colors) {
            let isNear = zip(pixel, color).allSatisfy { abs($0 - $1) <= within }
            #expect(isNear, "\(pixel) for \(color)")
        }
    }

    /// Returns the pixels in the middle of each quarter, for each frame of an MP4.
    private static func pixels(ofVideo bytes: [UInt8]) throws -> [[[Int]]] {
        var frames: [[[Int]]] = []
        try VideoProbe.forEachImage(in: bytes) { frame in
            let target = try Frame.allocate(width: frame.width, height: frame.height, format: AV_PIX_FMT_RGBA)
            try Scaler.make(from: frame.shape, to: target.shape, quality: .still).scale(frame, into: target)
            let stride = target.stride(0)
            frames.append(
                target.withPlane(0) { plane in
                    places.map { place in (0..<3).map { Int(plane[place.1 * stride + place.0 * 4 + $0]) } }
                })
        }
        return frames
    }

    @Test(arguments: [UInt8(16), 18])
    func `an animation with high dynamic range becomes an MP4 with SDR`(_ transfer: UInt8) throws {
        let still = Self.noisy(PNGColorTests.hdr(transfer))
        let (report, bytes) = try Self.made(Self.animation(of: still), takesVideos: true)
        #expect(report.format == .mp4)
        let frames = try Self.pixels(ofVideo: bytes)
        #expect(!frames.isEmpty)
        for frame in frames { Self.expect(frame, near: PNGColorTests.colors, within: 48) }
    }

    @Test(arguments: [UInt8(16), 18], [false, true])
    func `an animation with high dynamic range becomes a GIF with SDR`(_ transfer: UInt8, _ hasAlpha: Bool) throws {
        let source = Self.animation(of: PNGColorTests.hdr(transfer, hasAlpha: hasAlpha))
        let (report, bytes) = try Self.made(source, takesVideos: false)
        #expect(report.format == .gif && report.frames == 2)
        let animation = try AnimationFile(bytes, as: .gif)
        for number in 0..<2 {
            // With alpha, the right half is half transparent and is blended with white.
            let places = hasAlpha ? [Self.places[0], Self.places[2]] : Self.places
            let colors = hasAlpha ? [PNGColorTests.colors[0], PNGColorTests.colors[2]] : PNGColorTests.colors
            Self.expect(
                places.map { animation.pixel(number, x: $0.0, y: $0.1) }, near: colors.map { $0 + [255] }, within: 40)
        }
    }

    @Test(arguments: [false, true])
    func `an animation with wide primaries is converted to sRGB`(_ takesVideos: Bool) throws {
        let still = SamplePNG(chunks: [("cICP", [12, 13, 0, 1])]) { _, _ in [200, 100, 100, 255] }
        let (report, bytes) = try Self.made(Self.animation(of: Self.noisy(still)), takesVideos: takesVideos)
        let frames =
            report.format == .mp4
            ? try Self.pixels(ofVideo: bytes).map { $0[0] } : [try AnimationFile(bytes, as: .gif).pixel(0, x: 10, y: 8)]
        #expect(takesVideos == (report.format == .mp4))
        for pixel in frames { Self.expect([pixel], near: [[215, 92, 97]], within: 12) }
    }

    @Test func `a damaged image is shown with the colors of its color chunks`() throws {
        var bytes = PNGColorTests.hdr(16).bytes
        bytes.removeLast(40 * 6 * 4)
        let outcome = Workbench.run(bytes, as: .png, [Workbench.order(.thumbnail, 20)], showsDamage: true)
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        let (image, format) = (outcome.outputs[0], report.format)
        let pixels = try [(4, 4), (15, 4), (4, 11), (15, 11)].map { x, y in
            try Workbench.mean(image, as: format, x: x, y: y)
        }
        Self.expect(pixels, near: PNGColorTests.colors.map { $0 + [255] }, within: 40)
    }
}
