import Base
import CFFmpeg
import NotificationModel
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of previews: the renditions that have a preview, and the image that a preview shows.
struct PreviewTests {
    /// Returns the mean color of a hash, which is in its third to sixth characters.
    private func mean(_ report: RenditionReport) throws -> [Int] {
        let hash = try #require(report.blurhash)
        let color = try #require(Base83.value(hash.utf8.dropFirst(2).prefix(4)))
        return [color >> 16, color >> 8 & 255, color & 255]
    }

    private func isNear(_ found: [Int], _ wanted: [Int], _ tolerance: Int = 6) -> Bool {
        zip(found, wanted).allSatisfy { abs($0 - $1) <= tolerance }
    }

    @Test(arguments: [
        ("photo-12mp.jpg", MediaFormat.jpeg), ("progressive.jpg", .jpeg), ("photo-small.jpg", .jpeg),
        ("orientation-6.jpg", .jpeg), ("palette.png", .png), ("rgb16.png", .png), ("interlaced.png", .png),
        ("mask-alpha.png", .png), ("still.gif", .gif), ("animation.gif", .gif), ("animation-large.gif", .gif),
        ("picture.webp", .webp), ("lossless-alpha.webp", .webp),
    ])
    func `the attachment of an image has a preview, and the thumbnail has no preview`(
        _ name: String, _ format: MediaFormat
    ) throws {
        let outcome = Workbench.run(
            Workbench.fixture(name), as: format,
            [Workbench.order(.thumbnail, 256), Workbench.order(.attachment, 1_024)])
        try #require(outcome.reports.count == 2, "\(outcome.reply)")
        #expect(outcome.reports[0].preview == nil)
        let preview = try #require(outcome.reports[1].preview)
        let isPortrait = outcome.reports[1].height > outcome.reports[1].width
        #expect(preview.blurhash.first == (isPortrait ? "T" : "L"))
        #expect(preview.dominantColor != nil)
    }

    @Test func `a copied image has the same preview as an encoded image`() throws {
        let source = try SampleImage.jpeg(width: 640, height: 480)
        let copied = Workbench.run(source, as: .jpeg, [Workbench.order(.attachment, 1_024)])
        #expect(copied.outputs == [source])
        let made = Workbench.run(source, as: .jpeg, [Workbench.order(.attachment, 200)])
        let (first, second) = (try #require(copied.reports.first), try #require(made.reports.first))
        #expect(isNear(try mean(first), try mean(second), 2))
        // The four quarters are 20, 90, 160 and 230. The hash has the mean of their light, and the dominant color is
        // the darkest one.
        #expect(isNear(try mean(first), [149, 149, 149]))
        #expect(first.dominantColor == "#141414")
    }

    @Test func `a hash describes the upright image`() throws {
        let upright = try SampleImage.jpeg(width: 192, height: 128)
        let turned = try SampleImage.jpeg(width: 192, height: 128, orientation: 6)
        let hashes = [upright, turned].compactMap {
            Workbench.run($0, as: .jpeg, [Workbench.order(.attachment, 1_024)]).reports.first?.blurhash
        }
        try #require(hashes.count == 2)
        #expect(hashes[0].first == "L" && hashes[1].first == "T")
        // The first wave across shows that the quarters are brighter to the right. After a rotation to the right, the
        // bright quarters are at the bottom.
        func wave(_ hash: String, _ index: Int) -> Int {
            (Base83.value(hash.utf8.dropFirst(4 + 2 * index).prefix(2)) ?? 0) / 361
        }
        #expect(wave(hashes[0], 1) < 9 && wave(hashes[1], 1) > 9)
    }

    @Test func `the colors of transparent pixels do not change a preview`() throws {
        let source = try SampleImage.halfTransparentPNG(width: 200, height: 100)
        let report = try #require(Workbench.run(source, as: .png, [Workbench.order(.attachment, 300)]).reports.first)
        #expect(report.dominantColor == "#ff0000")
        // The mean of half white and half red is computed in linear light.
        #expect(isNear(try mean(report), [255, 188, 188]))
    }

    @Test func `a gray image has a gray preview, also with one pixel or one row`() throws {
        let gray = try SampleImage.gray(width: 1, height: 1, value: 0x7B)
        let report = try #require(Workbench.run(gray, as: .png, [Workbench.order(.attachment, 9)]).reports.first)
        #expect(report.dominantColor == "#7b7b7b")
        #expect(try mean(report) == [0x7B, 0x7B, 0x7B])
        let long = try SampleImage.gray(width: 3_000, height: 1, value: 5)
        let line = try #require(Workbench.run(long, as: .png, [Workbench.order(.attachment, 300)]).reports.first)
        #expect(line.dominantColor == "#050505")
    }

    @Test func `an image without an opaque pixel has no dominant color`() throws {
        let frame = try Frame.allocate(width: 20, height: 10, format: AV_PIX_FMT_GBRAP)
        for plane in 0..<4 {
            frame.withMutablePlane(plane) { bytes in
                for index in bytes.indices { bytes[index] = 0 }
            }
        }
        let preview = try PreviewMaking.preview(of: ScaledImage(frame: frame))
        #expect(preview != nil && preview?.dominantColor == nil)
    }

    @Test func `the preview of a video is in the report of its poster`() throws {
        let outcome = Workbench.run(
            Workbench.fixture("video-rotated.mp4"), as: .mp4,
            [Workbench.order(.attachment, 1_024), Workbench.order(.thumbnail, 256), Workbench.order(.poster, 1_024)])
        #expect(outcome.reports.map { $0.preview != nil } == [false, false, true])
        #expect(outcome.reports.last?.blurhash?.first == "T")
    }
}
