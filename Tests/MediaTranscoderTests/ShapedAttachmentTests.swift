import Base
import CFFmpeg
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of attachments that a platform crops, and of badges of which a platform shows only the alpha.
struct ShapedAttachmentTests {
    private static func bigImage(_ side: UInt32, takesAnimations: Bool = false) -> RenditionSpec {
        var order = Workbench.order(.attachment, side)
        order.minAspect = 2
        order.takesAnimations = takesAnimations
        return order
    }

    private static func badge(_ side: UInt32) -> RenditionSpec {
        var order = Workbench.order(.attachment, side)
        order.isMask = true
        return order
    }

    @Test(arguments: [
        (400, 300, 256, 256, 128), (300, 400, 256, 256, 128), (100, 100, 256, 100, 50), (101, 77, 512, 101, 50),
        (400, 200, 200, 200, 100), (400, 100, 200, 200, 50), (1, 3, 64, 1, 1), (64, 31, 64, 64, 31),
    ])
    func `only an image that is higher than the aspect ratio is cropped`(
        width: Int, height: Int, side: UInt32, outWidth: UInt32, outHeight: UInt32
    ) throws {
        let source = try SampleImage.jpeg(width: width, height: height)
        let outcome = Workbench.run(source, as: .jpeg, [Self.bigImage(side)])
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        #expect([report.width, report.height] == [outWidth, outHeight])
        #expect(report.preview != nil)
    }

    @Test func `the middle of the upright image is kept, and the thumbnail is not cropped`() throws {
        // The corners are red, green, blue and white, each a quarter. The middle has all four colors and half the
        // height.
        let source = try SampleImage.jpeg(width: 128, height: 192, orientation: 6)
        let whole = Workbench.run(source, as: .jpeg, [Workbench.order(.attachment, 192)])
        let cut = Workbench.run(source, as: .jpeg, [Self.bigImage(192), Workbench.order(.thumbnail, 96)])
        try #require(cut.reports.count == 2 && whole.reports.count == 1)
        #expect([cut.reports[0].width, cut.reports[0].height] == [192, 96])
        #expect([cut.reports[1].width, cut.reports[1].height] == [96, 64])
        for (x, y) in [(10, 10), (180, 10), (10, 85), (180, 85)] {
            let found = try Workbench.pixel(cut.outputs[0], as: .jpeg, x: x, y: y)
            let wanted = try Workbench.pixel(whole.outputs[0], as: .jpeg, x: x, y: y + 16)
            #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= 12 }, "\(x),\(y)")
        }
    }

    @Test
    func `an animation that fits is copied, and a larger animation becomes a still image if videos are not accepted`()
        throws
    {
        let small = Workbench.run(Workbench.fixture("animation.gif"), as: .gif, [Self.bigImage(1_024)])
        #expect(small.reports.first?.format == .gif && small.reports.first?.frames ?? 0 > 1)
        let large = Workbench.run(
            Workbench.fixture("animation-large.gif"), as: .gif, [Self.bigImage(100), Workbench.order(.thumbnail, 50)])
        #expect(large.reports.map(\.format) == [.png, .png])
        #expect(large.reports.first.map { $0.width >= 2 * $0.height } == true)
    }

    /// Returns the red, green, blue and alpha of the pixels at these positions.
    private func mask(_ bytes: [UInt8], _ size: (Int, Int), at places: [(Int, Int)]) throws -> [[Int]] {
        try places.map { try Workbench.pixel(bytes, as: .png, x: $0.0, y: $0.1) }
    }

    @Test func `a badge is white and has the alpha of the image`() throws {
        let source = Workbench.fixture("mask-alpha.png")
        let plain = Workbench.run(source, as: .png, [Workbench.order(.attachment, 96)])
        let badge = Workbench.run(source, as: .png, [Self.badge(96)])
        let (report, wanted) = (try #require(badge.reports.first), try #require(plain.reports.first))
        #expect(report.format == .png && [report.width, report.height] == [wanted.width, wanted.height])
        var alphas: Set<Int> = []
        for y in stride(from: 0, to: Int(report.height), by: 7) {
            for x in stride(from: 0, to: Int(report.width), by: 7) {
                let pixel = try Workbench.pixel(badge.outputs[0], as: .png, x: x, y: y)
                #expect(Array(pixel.prefix(3)) == [255, 255, 255])
                #expect(abs(pixel[3] - (try Workbench.pixel(plain.outputs[0], as: .png, x: x, y: y))[3]) <= 1)
                alphas.insert(pixel[3])
            }
        }
        // An image with a uniform alpha would not test anything.
        #expect(alphas.count > 2)
    }

    @Test(arguments: [(UInt8(255), UInt8(0)), (0, 255), (40, 120)])
    func `the alpha of an opaque badge grows with the contrast to its border`(ground: UInt8, figure: UInt8) {
        let size = PixelSize(6, 5)
        var brightness = [UInt8](repeating: ground, count: 30)
        for index in [8, 9, 14, 15] { brightness[index] = figure }
        let half = ground > figure ? ground - (ground - figure) / 2 : ground + (figure - ground) / 2
        brightness[20] = half
        let mask = ImageMask.standingOut(brightness, size)
        #expect(mask[0] == 0 && mask[29] == 0)
        #expect([8, 9, 14, 15].allSatisfy { mask[$0] == 255 })
        #expect((120...135).contains(mask[20]))
    }

    @Test func `a badge from an image of one color is fully opaque`() {
        #expect(ImageMask.standingOut([UInt8](repeating: 90, count: 12), PixelSize(4, 3)).allSatisfy { $0 == 255 })
        #expect(ImageMask.standingOut([7], PixelSize(1, 1)) == [255])
    }

    @Test(arguments: [
        ("photo-small.jpg", MediaFormat.jpeg), ("grey.jpg", .jpeg), ("icon.ico", .ico), ("avif-alpha.avif", .avif),
        ("lossless-alpha.webp", .webp), ("bmp-24.bmp", .bmp), ("animation.gif", .gif), ("interlaced.png", .png),
    ])
    func `every image has a mask that fits and is gray with alpha`(name: String, format: MediaFormat) throws {
        let outcome = Workbench.run(Workbench.fixture(name), as: format, [Self.badge(96)])
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        #expect(report.format == .png && report.frames == 1 && max(report.width, report.height) <= 96)
        // The color type of the header is 4 (PNG §11.2.1).
        #expect(outcome.outputs[0].count > 25 && outcome.outputs[0][25] == 4)
    }
}
