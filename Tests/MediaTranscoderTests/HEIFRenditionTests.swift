import Base
import CFFmpeg
import Glibc
import MediaHeaders
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of HEIC and AVIF files. Their images are upright, cropped and joined as their boxes state, with red,
/// green, blue and yellow in the corners.
struct HEIFRenditionTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        var name: String
        var width = 192
        var height = 128
        /// The largest difference of a color, in levels of 255.
        var tolerance = 10
        var testDescription: String { name }
    }

    private static let corners = [[208, 32, 32], [32, 168, 64], [40, 64, 208], [224, 208, 40]]

    @Test(arguments: [
        Sample(name: "heic-plain.heic"), Sample(name: "heic-rotated.heic"), Sample(name: "heic-mirrored.heic"),
        // The crop is between two samples of halved chroma. White from outside of the crop causes ringing in the
        // corners of the JPEG.
        Sample(name: "heic-cropped.heic", tolerance: 20), Sample(name: "heic-cropped-turned.heic"),
        Sample(name: "heic-cropped-422.heic"), Sample(name: "heic-grid.heic", width: 241, height: 187),
        Sample(name: "heic-thumbnail.heic", width: 640, height: 426), Sample(name: "heic-10bit.heic"),
        Sample(name: "avif-plain.avif"), Sample(name: "avif-rotated.avif"), Sample(name: "avif-mirrored.avif"),
        Sample(name: "avif-grid.avif", width: 242, height: 186),
        Sample(name: "heif-jpeg.heif"), Sample(name: "heif-jpeg-tables.heif"),
    ])
    func `the rendition of a HEIF image has the size and the colors that its boxes declare`(_ sample: Sample) throws {
        let source = Workbench.fixture(sample.name)
        let outcome = Workbench.run(
            source, as: .heic, [Workbench.order(.attachment, 1_024), Workbench.order(.thumbnail, 96)])
        try #require(outcome.reports.count == 2, "\(outcome.reply)")
        #expect(outcome.reports[0].width == sample.width && outcome.reports[0].height == sample.height)
        for (report, bytes) in zip(outcome.reports, outcome.outputs) {
            #expect(report.format == .jpeg)
            // The pixels at the edge may contain chroma from outside of the crop.
            let inset = Int(report.width) / 16
            let (right, bottom) = (Int(report.width) - 1 - inset, Int(report.height) - 1 - inset)
            let places = [(inset, inset), (right, inset), (inset, bottom), (right, bottom)]
            for (place, wanted) in zip(places, Self.corners) {
                let pixel = try Workbench.pixel(bytes, as: .jpeg, x: place.0, y: place.1)
                #expect(
                    zip(pixel, wanted).allSatisfy { abs($0 - $1) <= sample.tolerance },
                    "\(place): \(pixel), not \(wanted)")
            }
        }
    }

    @Test func `a crop between whole chroma samples does not convert the chroma`() throws {
        let descriptor = Workbench.temporaryFile(Workbench.fixture("heic-cropped-422.heic"))
        defer { close(descriptor) }
        let input = try MappedInput.map(descriptor)
        let header = try input.withBytes { bytes in try HEIFHeader(bytes) }
        let frame = try HEIFDecoding.decode(
            input, header, wanted: PixelSize(192, 128), limits: DecodeLimits())
        let (format, width, height) = (frame.format, frame.width, frame.height)
        #expect(format == AV_PIX_FMT_YUV422P && width == 192 && height == 128)
    }

    @Test(arguments: ["heic-alpha.heic", "avif-alpha.avif"])
    func `the alpha of a HEIF image is kept`(_ name: String) throws {
        let outcome = Workbench.run(Workbench.fixture(name), as: .heic, [Workbench.order(.attachment, 1_024)])
        #expect(outcome.reports.map(\.format) == [.png], "\(outcome.reply)")
        let bytes = try #require(outcome.outputs.first)
        let alphas = try [(4, 4), (187, 4), (4, 123), (187, 123)].map {
            try Workbench.pixel(bytes, as: .png, x: $0.0, y: $0.1)[3]
        }
        #expect(zip(alphas, [255, 192, 128, 64]).allSatisfy { abs($0 - $1) <= 6 }, "\(alphas)")
    }

    @Test func `an embedded thumbnail that is large enough is decoded instead of the image`() throws {
        var source = Workbench.fixture("heic-thumbnail.heic")
        let header = try HEIFHeader(source.span)
        // The image is destroyed, so that only the thumbnail can be decoded.
        for range in header.image.tiles.flatMap(\.extents) {
            for offset in range { source[offset] = 0xFF }
        }
        let thumbnail = Workbench.run(source, as: .heic, [Workbench.order(.thumbnail, 160)])
        #expect(thumbnail.reports.first?.width == 160, "\(thumbnail.reply)")
        let larger = Workbench.run(source, as: .heic, [Workbench.order(.thumbnail, 164)])
        #expect(larger.failure == .corrupt)
    }

    @Test(arguments: ["heic-plain.heic", "avif-plain.avif", "heic-grid.heic", "avif-alpha.avif"])
    func `a HEIF file that is truncated at any byte is refused`(_ name: String) {
        let source = Workbench.fixture(name)
        for part in 1..<16 {
            let outcome = Workbench.run(
                Array(source.prefix(source.count * part / 16)), as: .heic, [Workbench.order(.thumbnail, 96)])
            #expect(outcome.failure == .corrupt, "\(part)/16: \(outcome.reply)")
        }
    }

    @Test func `a HEIF image beyond the limits is refused before it is decoded`() {
        var limits = DecodeLimits()
        limits.decodedBytes = 192 * 128
        let outcome = Workbench.run(
            Workbench.fixture("heic-plain.heic"), as: .heic, [Workbench.order(.thumbnail, 96)], limits: limits)
        #expect(outcome.failure == .tooManyPixels)
    }
}
