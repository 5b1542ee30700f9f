import Base
import MediaHeaders
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

@Suite struct StillRenditionTests {
    private func expectNear(_ found: [Int], _ wanted: [Int], _ tolerance: Int = 12) {
        #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= tolerance }, "\(found) is not \(wanted)")
    }

    @Test func `a photograph becomes an attachment and a thumbnail with one decoding`() throws {
        let source = Workbench.fixture("photo-12mp.jpg")
        let outcome = Workbench.run(
            source, as: .jpeg, [Workbench.order(.attachment, 1_024), Workbench.order(.thumbnail, 256)])
        #expect(outcome.reports.map(\.role) == [.attachment, .thumbnail])
        for (report, side) in zip(outcome.reports, [1_024, 256]) {
            #expect(report.format == .jpeg)
            #expect(max(report.width, report.height) == side)
        }
        for (bytes, report) in zip(outcome.outputs, outcome.reports) {
            let header = try JPEGHeader(file: bytes)
            #expect(header.isComplete && !header.hasMetadata && header.orientation == .upright)
            #expect(header.width == report.width && header.height == report.height && bytes.count == report.bytes)
        }
        #expect(outcome.reply.id == 42)
        #expect(outcome.reply.stages.map(\.name) == [.inspect, .decode, .scale, .encode])
    }

    @Test func `an image that fits is copied byte by byte, without its metadata`() throws {
        let plain = try SampleImage.jpeg(width: 64, height: 48)
        #expect(Workbench.run(plain, as: .jpeg, [Workbench.order(.attachment, 64)]).outputs == [plain])
        let tagged = try SampleImage.jpeg(width: 64, height: 48, orientation: 1)
        #expect(Workbench.run(tagged, as: .jpeg, [Workbench.order(.attachment, 64)]).outputs == [plain])
    }

    @Test(arguments: ImageOrientation.allCases)
    func `each EXIF orientation is applied to attachment and thumbnail`(_ orientation: ImageOrientation) throws {
        let source = try SampleImage.jpeg(width: 192, height: 128, orientation: orientation.rawValue)
        let outcome = Workbench.run(
            source, as: .jpeg, [Workbench.order(.attachment, 150), Workbench.order(.thumbnail, 72)])
        // The corners of the upright image, as indices of the stored quarters.
        let corners: [Int] =
            switch orientation {
            case .upright: [0, 1, 2, 3]
            case .mirrored: [1, 0, 3, 2]
            case .turnedHalf: [3, 2, 1, 0]
            case .flipped: [2, 3, 0, 1]
            case .transposed: [0, 2, 1, 3]
            case .turnedRight: [2, 0, 3, 1]
            case .transversed: [3, 1, 2, 0]
            case .turnedLeft: [1, 3, 0, 2]
            }
        for (bytes, side) in zip(outcome.outputs, [150, 72]) {
            let header = try JPEGHeader(file: bytes)
            #expect(header.orientation == .upright && !header.hasMetadata)
            #expect(header.width == (orientation.swapsSides ? side * 2 / 3 : side))
            #expect(header.height == (orientation.swapsSides ? side : side * 2 / 3))
            let (right, bottom) = (header.width - 8, header.height - 8)
            for (place, corner) in zip([(8, 8), (right, 8), (8, bottom), (right, bottom)], corners) {
                let luma = Int(SampleImage.quarters[corner])
                let pixel = try Workbench.pixel(bytes, as: .jpeg, x: place.0, y: place.1)
                expectNear(pixel, [luma, luma, luma, 255])
            }
        }
    }

    @Test func `an image keeps its alpha, and its transparent pixels cause no color fringe`() throws {
        let source = try SampleImage.halfTransparentPNG(width: 200, height: 100)
        let outcome = Workbench.run(source, as: .png, [Workbench.order(.attachment, 50)])
        #expect(outcome.reports.first?.format == .png)
        let bytes = try #require(outcome.outputs.first)
        let header = try PNGHeader(file: bytes)
        #expect(header.width == 50 && header.height == 25 && header.hasAlpha && !header.hasMetadata)
        expectNear(try Workbench.pixel(bytes, as: .png, x: 40, y: 12), [255, 0, 0, 255], 2)
        #expect(try Workbench.pixel(bytes, as: .png, x: 5, y: 12)[3] == 0)
        for x in 20..<30 {
            let pixel = try Workbench.pixel(bytes, as: .png, x: x, y: 12)
            // A visible pixel of the edge is red, and is not mixed with the hidden black.
            if pixel[3] > 32 { expectNear(pixel, [255, 0, 0, pixel[3]], 10) }
        }
    }

    @Test func `a PNG that is too large becomes a JPEG on white`() throws {
        let source = try SampleImage.halfTransparentPNG(width: 200, height: 100)
        let outcome = Workbench.run(source, as: .png, [Workbench.order(.attachment, 100, imageBytes: 0)])
        #expect(outcome.failure == .tooLarge)
        let mask = Workbench.run(
            Workbench.fixture("mask-alpha.png"), as: .png, [Workbench.order(.attachment, 600, imageBytes: 40_000)])
        #expect(mask.reports.first?.format == .jpeg)
        expectNear(try Workbench.pixel(mask.outputs[0], as: .jpeg, x: 2, y: 2), [255, 255, 255, 255])
    }

    @Test(arguments: [
        ("palette.png", MediaFormat.png, MediaFormat.png), ("rgb16.png", .png, .png),
        ("interlaced.png", .png, .png),
        ("portrait-exif.png", .png, .png), ("still.gif", .gif, .png), ("picture.webp", .webp, .jpeg),
        ("lossless-alpha.webp", .webp, .png), ("progressive.jpg", .jpeg, .jpeg),
    ])
    func `the thumbnail of a graphic is a PNG, and the thumbnail of a photograph is a JPEG`(
        _ name: String, _ source: MediaFormat, _ wanted: MediaFormat
    ) throws {
        let outcome = Workbench.run(Workbench.fixture(name), as: source, [Workbench.order(.thumbnail, 120)])
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        let bytes = outcome.outputs[0]
        #expect(report.format == wanted)
        #expect(max(report.width, report.height) == 120)
        if wanted == .png {
            let header = try PNGHeader(file: bytes)
            #expect(header.isComplete && header.bitDepth == 8 && header.width == report.width)
        } else {
            #expect(try JPEGHeader(file: bytes).width == report.width)
        }
    }

    /// Adobe's segment replaces the JFIF segment, which states that the image is YCbCr.
    @Test(arguments: ["jpeg-444.jpg", "photo-small.jpg", "progressive.jpg"])
    func `an Adobe segment with an impossible color transform for three components is ignored`(_ name: String) throws {
        let source = Workbench.fixture(name)
        let header = Array(source[2..<6])
        #expect(header[0...1] == [0xFF, 0xE0])
        let rest = source[(4 + Int(header[2]) << 8 + Int(header[3]))...]
        let adobe = [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 2]
        let specs = [Workbench.order(.attachment, 60), Workbench.order(.thumbnail, 30)]
        let outcome = Workbench.run([0xFF, 0xD8] + adobe + rest, as: .jpeg, specs)
        #expect(outcome.reports.count == 2, "\(outcome.reply)")
        #expect(outcome.outputs == Workbench.run(source, as: .jpeg, specs).outputs)
    }

    @Test func `a small image is never enlarged`() throws {
        let source = try SampleImage.jpeg(width: 64, height: 48, orientation: 6)
        let outcome = Workbench.run(source, as: .jpeg, [Workbench.order(.attachment, 1_024)])
        #expect(outcome.reports.first?.width == 48 && outcome.reports.first?.height == 64)
    }
}
