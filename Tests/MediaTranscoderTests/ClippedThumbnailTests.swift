import Base
import CFFmpeg
import MediaHeaders
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of thumbnails that show a part of the upright image (Apple,
/// `UNNotificationAttachmentOptionsThumbnailClippingRectKey`).
struct ClippedThumbnailTests {
    /// The quarters of an upright image: top left, top right, bottom left and bottom right.
    private static let quarters = [
        Rectangle<UInt32>(x: 0, y: 0, width: 500_000, height: 500_000),
        Rectangle<UInt32>(x: 500_000, y: 0, width: 500_000, height: 500_000),
        Rectangle<UInt32>(x: 0, y: 500_000, width: 500_000, height: 500_000),
        Rectangle<UInt32>(x: 500_000, y: 500_000, width: 500_000, height: 500_000),
    ]

    private func isNear(_ found: [Int], _ wanted: [Int], _ tolerance: Int = 12) -> Bool {
        zip(found, wanted).allSatisfy { abs($0 - $1) <= tolerance }
    }

    /// Returns whether an image has one color, apart from the last pixels at its edges, which are mixtures.
    private func isAll(_ bytes: [UInt8], as format: MediaFormat, _ size: (Int, Int), _ color: [Int]) throws -> Bool {
        for (x, y) in [(2, 2), (size.0 - 3, 2), (2, size.1 - 3), (size.0 - 3, size.1 - 3), (size.0 / 2, size.1 / 2)] {
            guard isNear(try Workbench.pixel(bytes, as: format, x: x, y: y), color) else { return false }
        }
        return true
    }

    @Test(arguments: ImageOrientation.allCases)
    func `a clipping rectangle selects a part of the upright image`(_ orientation: ImageOrientation) throws {
        let source = try SampleImage.jpeg(width: 192, height: 128, orientation: orientation.rawValue)
        // The corners are taken from an upright image that is not clipped.
        let whole = Workbench.run(source, as: .jpeg, [Workbench.order(.thumbnail, 96)])
        let size = (Int(whole.reports[0].width), Int(whole.reports[0].height))
        let corners = [(8, 8), (size.0 - 8, 8), (8, size.1 - 8), (size.0 - 8, size.1 - 8)]
        let clipped = Workbench.run(
            source, as: .jpeg, Self.quarters.map { Workbench.order(.thumbnail, 48, clip: $0) })
        try #require(clipped.outputs.count == 4, "\(clipped.reply)")
        for (index, report) in clipped.reports.enumerated() {
            #expect([report.width, report.height] == (orientation.swapsSides ? [32, 48] : [48, 32]))
            let wanted = try Workbench.pixel(whole.outputs[0], as: .jpeg, x: corners[index].0, y: corners[index].1)
            #expect(
                try isAll(clipped.outputs[index], as: .jpeg, (Int(report.width), Int(report.height)), wanted),
                "quarter \(index)")
        }
    }

    @Test(arguments: 1...8)
    func `the fixtures of all orientations have the same corners`(_ orientation: Int) throws {
        let source = Workbench.fixture("orientation-\(orientation).jpg")
        let wanted = Workbench.run(
            Workbench.fixture("orientation-1.jpg"), as: .jpeg,
            Self.quarters.map { Workbench.order(.thumbnail, 256, clip: $0) })
        let found = Workbench.run(source, as: .jpeg, Self.quarters.map { Workbench.order(.thumbnail, 256, clip: $0) })
        try #require(wanted.reports.count == 4 && found.reports.count == 4, "\(found.reply)")
        for index in 0..<4 {
            let (report, reference) = (found.reports[index], wanted.reports[index])
            #expect([report.width, report.height] == [reference.width, reference.height])
            let (x, y) = (Int(report.width) / 2, Int(report.height) / 2)
            #expect(
                isNear(
                    try Workbench.pixel(found.outputs[index], as: .jpeg, x: x, y: y),
                    try Workbench.pixel(wanted.outputs[index], as: .jpeg, x: x, y: y)))
        }
    }

    @Test func `a clipped part has the resolution of the source and is never enlarged`() throws {
        let source = Workbench.fixture("photo-12mp.jpg")
        let clip = Rectangle<UInt32>(x: 400_000, y: 400_000, width: 100_000, height: 100_000)
        let whole = Workbench.run(source, as: .jpeg, [Workbench.order(.thumbnail, 256)])
        let outcome = Workbench.run(
            source, as: .jpeg, [Workbench.order(.attachment, 1_024), Workbench.order(.thumbnail, 256, clip: clip)])
        try #require(outcome.reports.count == 2, "\(outcome.reply)")
        #expect(max(outcome.reports[1].width, outcome.reports[1].height) == 256)
        #expect(outcome.outputs[1] != whole.outputs[0])
        // The thumbnail does not change the attachment, apart from rounding when the image is decoded at another size.
        #expect(max(outcome.reports[0].width, outcome.reports[0].height) == 1_024)
        #expect(outcome.reports[0].preview != nil)
        let small = try SampleImage.jpeg(width: 64, height: 48)
        let part = Workbench.run(small, as: .jpeg, [Workbench.order(.thumbnail, 256, clip: Self.quarters[3])])
        #expect(part.reports.map { [$0.width, $0.height] } == [[32, 24]])
        #expect(try isAll(part.outputs[0], as: .jpeg, (32, 24), [230, 230, 230, 255]))
    }

    @Test func `a preview shows the whole image, although the thumbnail is clipped`() throws {
        let source = try SampleImage.jpeg(width: 640, height: 480)
        let specs = [Workbench.order(.attachment, 1_024), Workbench.order(.thumbnail, 64)]
        var clipped = specs
        clipped[1].clip = Self.quarters[3]
        let (whole, part) = (
            Workbench.run(source, as: .jpeg, specs), Workbench.run(source, as: .jpeg, clipped)
        )
        #expect(part.outputs[0] == whole.outputs[0])
        #expect(part.reports[0].dominantColor == whole.reports[0].dominantColor)
        #expect(part.reports[0].blurhash?.prefix(2) == whole.reports[0].blurhash?.prefix(2))
    }

    @Test(arguments: [
        ("palette.png", MediaFormat.png), ("rgb16.png", .png), ("interlaced.png", .png), ("mask-alpha.png", .png),
        ("still.gif", .gif), ("animation.gif", .gif), ("picture.webp", .webp), ("lossless-alpha.webp", .webp),
        ("progressive.jpg", .jpeg), ("portrait-exif.png", .png),
    ])
    func `a part of an image equals the same area of the whole image`(_ name: String, _ format: MediaFormat) throws {
        let source = Workbench.fixture(name)
        let whole = Workbench.run(source, as: format, [Workbench.order(.attachment, 4_000, imageBytes: 50_000_000)])
        let clip = Rectangle<UInt32>(x: 500_000, y: 250_000, width: 250_000, height: 250_000)
        let part = Workbench.run(
            source, as: format, [Workbench.order(.thumbnail, 4_000, imageBytes: 50_000_000, clip: clip)])
        let (report, full) = (try #require(part.reports.first, "\(part.reply)"), try #require(whole.reports.first))
        #expect(
            abs(Int(report.width) - Int(full.width) / 4) <= 1 && abs(Int(report.height) - Int(full.height) / 4) <= 1)
        for (across, down) in [(0.2, 0.2), (0.8, 0.2), (0.5, 0.5), (0.2, 0.8), (0.8, 0.8)] {
            let found = try Workbench.mean(
                part.outputs[0], as: kind(report), x: Int(across * Double(report.width)),
                y: Int(down * Double(report.height)))
            let wanted = try Workbench.mean(
                whole.outputs[0], as: kind(full), x: Int(Double(full.width) * (0.5 + across / 4)),
                y: Int(Double(full.height) * (0.25 + down / 4)))
            // A transparent pixel may have any color.
            if wanted[3] > 200 { #expect(isNear(found, wanted, 24), "\(found) is not \(wanted)") }
            #expect(abs(found[3] - wanted[3]) <= 24)
        }
    }

    @Test(arguments: [
        ("photo-small.jpg", MediaFormat.jpeg), ("orientation-6.jpg", .jpeg), ("palette.png", .png),
        ("rgb16.png", .png),
        ("mask-alpha.png", .png), ("still.gif", .gif), ("lossless-alpha.webp", .webp), ("picture.webp", .webp),
        ("video-rotated.mp4", .mp4),
    ])
    func `a part that is one pixel wide becomes an image at every edge`(_ name: String, _ format: MediaFormat) throws {
        let thin = [
            Rectangle<UInt32>(x: 0, y: 0, width: 1, height: 1),
            Rectangle<UInt32>(x: 999_999, y: 999_999, width: 1, height: 1),
            Rectangle<UInt32>(x: 999_999, y: 0, width: 1, height: 1_000_000),
            Rectangle<UInt32>(x: 0, y: 999_999, width: 1_000_000, height: 1),
            Rectangle<UInt32>(x: 333_333, y: 1, width: 4_567, height: .max),
            Rectangle<UInt32>(x: 1, y: 666_666, width: .max, height: 4_567),
        ]
        let outcome = Workbench.run(
            Workbench.fixture(name), as: format, thin.map { Workbench.order(.thumbnail, 256, clip: $0) })
        try #require(outcome.reports.count == thin.count, "\(outcome.reply)")
        #expect(outcome.reports[..<2].allSatisfy { $0.width == 1 && $0.height == 1 })
        #expect(outcome.reports[2].width == 1 && outcome.reports[3].height == 1)
        for report in outcome.reports { #expect(max(report.width, report.height) <= 256 && report.bytes > 0) }
    }

    private func kind(_ report: RenditionReport) -> MediaFormat { report.format }

    @Test func `an image with one bit a pixel is clipped at a whole byte`() throws {
        let frame = try Frame.allocate(width: 64, height: 16, format: AV_PIX_FMT_MONOBLACK)
        let stride = frame.stride(0)
        frame.withMutablePlane(0) { plane in
            for row in 0..<16 {
                for byte in 0..<8 { plane[row * stride + byte] = byte >= 4 && row >= 8 ? 0xFF : 0 }
            }
        }
        let part = try frame.part(columns: 32..<64, rows: 8..<16)
        #expect(part.width == 32 && part.height == 8)
        let white = try ColorSamples(ImageScaling.scale(part, to: PixelSize(32, 8)))
        #expect(white.samples.allSatisfy { $0.red > 250 })
        let black = try ColorSamples(
            ImageScaling.scale(frame.part(columns: 0..<32, rows: 0..<16), to: PixelSize(32, 16)))
        #expect(black.samples.allSatisfy { $0.red < 5 })
        let uneven = try frame.part(columns: 35..<50, rows: 8..<9)
        #expect(uneven.width == 18 && uneven.height == 1)
    }

    @Test func `a part outside of the frame is refused`() throws {
        let frame = try Frame.allocate(width: 8, height: 8, format: AV_PIX_FMT_GRAY8)
        for (columns, rows) in [(0..<9, 0..<8), (0..<8, 0..<9), (-1..<3, 0..<1), (3..<3, 0..<1), (0..<1, 5..<5)] {
            do throws(TranscodeFailure) {
                _ = try frame.part(columns: columns, rows: rows)
                Issue.record("\(columns) \(rows)")
            } catch { #expect(error.code == .internalFault) }
        }
    }

    @Test func `the thumbnail of a rotated video is clipped, and the poster is not clipped`() throws {
        let source = Workbench.fixture("video-rotated.mp4")
        let whole = Workbench.run(
            source, as: .mp4, [Workbench.order(.thumbnail, 320), Workbench.order(.poster, 320)])
        let clip = Rectangle<UInt32>(x: 0, y: 500_000, width: 500_000, height: 500_000)
        let part = Workbench.run(
            source, as: .mp4, [Workbench.order(.thumbnail, 160, clip: clip), Workbench.order(.poster, 320)])
        #expect(whole.reports.map { [$0.width, $0.height] } == [[180, 320], [180, 320]])
        #expect(part.reports.map { [$0.width, $0.height] } == [[90, 160], [180, 320]])
        #expect(part.outputs[1] == whole.outputs[1])
        for (x, y) in [(10, 10), (70, 10), (45, 80), (10, 140), (70, 140)] {
            let found = try Workbench.mean(part.outputs[0], as: .jpeg, x: x, y: y)
            let wanted = try Workbench.mean(whole.outputs[0], as: .jpeg, x: x, y: 160 + y)
            #expect(isNear(found, wanted, 24), "\(found) at \(x),\(y) is not \(wanted)")
        }
        let only = Workbench.run(source, as: .mp4, [Workbench.order(.thumbnail, 160, clip: clip)])
        #expect(only.outputs.first == part.outputs.first)
    }
}
