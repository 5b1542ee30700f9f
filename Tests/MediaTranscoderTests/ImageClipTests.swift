import Base
import MediaHeaders
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

struct ImageClipTests {
    private func clip(_ x: UInt32, _ y: UInt32, _ width: UInt32, _ height: UInt32) throws -> ImageClip {
        try #require(ImageClip(Rectangle<UInt32>(x: x, y: y, width: width, height: height)))
    }

    @Test func `a clip selects the exact pixels`() throws {
        let pixels = try clip(250_000, 500_000, 500_000, 500_000).pixels(of: PixelSize(400, 300))
        #expect(pixels.columns == 100..<300 && pixels.rows == 150..<300)
        let odd = try clip(333_333, 0, 333_334, 1_000_000).pixels(of: PixelSize(1_000, 7))
        #expect(odd.columns == 333..<667 && odd.rows == 0..<7)
    }

    @Test(
        arguments: [
            (0, 1), (999_999, 1), (999_999, 1_000_000), (500_000, .max), (1, .max), (0, 1_000_000),
        ] as [(UInt32, UInt32)])
    func `a clip has at least one pixel, and has no pixel beyond the edge`(_ start: UInt32, _ length: UInt32) throws {
        for side in [1, 2, 3, 255, 16_384] {
            let pixels = try clip(start, start, length, length).pixels(of: PixelSize(side, side))
            #expect(pixels.columns == pixels.rows)
            #expect(!pixels.columns.isEmpty && pixels.columns.lowerBound >= 0 && pixels.columns.upperBound <= side)
        }
    }

    @Test func `a rectangle that contains no part of the image is rejected`() {
        for rect in [
            Rectangle<UInt32>(x: 0, y: 0, width: 0, height: 1), Rectangle<UInt32>(x: 0, y: 0, width: 1, height: 0),
            Rectangle<UInt32>(x: 1_000_000, y: 0, width: 1, height: 1),
            Rectangle<UInt32>(x: 0, y: .max, width: 1, height: 1),
        ] { #expect(ImageClip(rect) == nil) }
    }

    /// A clip of one pixel of the upright image must select the stored pixel that the rotation moves to this position.
    @Test(arguments: ImageOrientation.allCases)
    func `a clip of the stored image selects the part of the upright image`(_ orientation: ImageOrientation) throws {
        let stored = PixelSize(4, 3)
        let upright = stored.turned(orientation)
        let numbers = (0..<UInt8(12)).map { $0 }
        var turned = [UInt8](repeating: 0, count: 12)
        var target = turned.mutableSpan
        PlaneRotation.turn(
            numbers.span, width: 4, height: 3, stride: 4, orientation: orientation, into: &target, stride: upright.width
        )
        for y in 0..<upright.height {
            for x in 0..<upright.width {
                let (width, height) = (1_000_000 / UInt32(upright.width), 1_000_000 / UInt32(upright.height))
                let part = try clip(UInt32(x) * width, UInt32(y) * height, width, height).stored(orientation)
                let pixels = part.pixels(of: stored)
                #expect(pixels.columns.count == 1 && pixels.rows.count == 1)
                #expect(
                    numbers[pixels.rows.lowerBound * 4 + pixels.columns.lowerBound] == turned[y * upright.width + x])
            }
        }
    }

    @Test func `a clipped image is decoded at the size that its clip needs`() throws {
        let part = try clip(0, 0, 250_000, 500_000)
        #expect(part.wholeSize(of: PixelSize(4_000, 3_000), for: PixelSize(100, 150)) == PixelSize(400, 300))
        #expect(part.wholeSize(of: PixelSize(4_000, 3_000), for: PixelSize(1_000, 1_500)) == PixelSize(4_000, 3_000))
        #expect(part.wholeSize(of: PixelSize(300, 200), for: PixelSize(256, 200)) == PixelSize(300, 200))
    }

    @Test func `a large photograph is decoded only to the size that its clip needs`() throws {
        let order = Workbench.order(
            .thumbnail, 256, clip: Rectangle<UInt32>(x: 0, y: 0, width: 10_000, height: 10_000))
        let huge = PixelSize(12_000, 8_000)
        let still = try #require(ClippedStill(order, of: huge))
        #expect(still.size == PixelSize(120, 80))
        #expect(still.decodedSize(of: huge, .upright) == huge)
        let wide = Workbench.order(
            .thumbnail, 256, clip: Rectangle<UInt32>(x: 0, y: 0, width: 500_000, height: 500_000))
        let half = try #require(ClippedStill(wide, of: huge))
        #expect(half.decodedSize(of: huge, .upright) == PixelSize(512, 342))
    }
}
