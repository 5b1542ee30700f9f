import Base
import MediaHeaders
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of BMP, TIFF, icons and the rarer JPEGs. The images have red, green, blue and yellow in their corners,
/// upright and in sRGB.
struct BitmapRenditionTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        var name: String
        var format: MediaFormat
        var width = 96
        var height = 64
        var hasAlpha = false
        var testDescription: String { name }
    }

    private static let corners = [[208, 32, 32], [32, 168, 64], [40, 64, 208], [224, 208, 40]]

    @Test(arguments: [
        Sample(name: "bmp-24.bmp", format: .bmp), Sample(name: "bmp-8-palette.bmp", format: .bmp),
        Sample(name: "bmp-rle8.bmp", format: .bmp), Sample(name: "bmp-topdown.bmp", format: .bmp),
        Sample(name: "bmp-32-alpha.bmp", format: .bmp, hasAlpha: true),
        Sample(name: "tiff-lzw.tif", format: .tiff), Sample(name: "tiff-16bit.tif", format: .tiff),
        Sample(name: "tiff-cmyk.tif", format: .tiff), Sample(name: "tiff-jpeg.tif", format: .tiff),
        Sample(name: "tiff-orientation-6.tif", format: .tiff),
        Sample(name: "tiff-deflate-rgba.tif", format: .tiff, hasAlpha: true),
        Sample(name: "icon.ico", format: .ico, width: 256, height: 256, hasAlpha: true),
        Sample(name: "icon-dib.ico", format: .ico, width: 48, height: 48, hasAlpha: true),
        Sample(name: "cmyk.jpg", format: .jpeg, width: 192, height: 128),
        Sample(name: "ycck.jpg", format: .jpeg, width: 192, height: 128),
        Sample(name: "arithmetic.jpg", format: .jpeg, width: 192, height: 128),
        Sample(name: "arithmetic-progressive.jpg", format: .jpeg, width: 192, height: 128),
        Sample(name: "jpeg-444.jpg", format: .jpeg, width: 192, height: 128),
        Sample(name: "jpeg-422.jpg", format: .jpeg, width: 192, height: 128),
        Sample(name: "jpeg-440.jpg", format: .jpeg, width: 192, height: 128),
        Sample(name: "jpeg-411.jpg", format: .jpeg, width: 192, height: 128),
        Sample(name: "progressive-small.jpg", format: .jpeg, width: 192, height: 128),
        Sample(name: "display-p3.jpg", format: .jpeg, width: 192, height: 128),
    ])
    func `an image of a rare format is shown with its original colors`(_ sample: Sample) throws {
        let thumbnail = UInt32(max(sample.width, sample.height) / 2)
        let outcome = Workbench.run(
            Workbench.fixture(sample.name), as: sample.format,
            [Workbench.order(.attachment, 1_024), Workbench.order(.thumbnail, thumbnail)])
        try #require(outcome.reports.count == 2, "\(outcome.reply)")
        #expect(outcome.reports[0].width == sample.width && outcome.reports[0].height == sample.height)
        // The second rendition is always encoded again, while the first one may be a copy.
        let (report, bytes) = (outcome.reports[1], outcome.outputs[1])
        #expect(report.format == (sample.hasAlpha || sample.format == .ico ? .png : .jpeg))
        let inset = Int(report.width) / 12
        let (right, bottom) = (Int(report.width) - 1 - inset, Int(report.height) - 1 - inset)
        let places = [(inset, inset), (right, inset), (inset, bottom), (right, bottom)]
        let format: MediaFormat = report.format == .png ? .png : .jpeg
        for (place, wanted) in zip(places, Self.corners) {
            let pixel = try Workbench.pixel(bytes, as: format, x: place.0, y: place.1)
            #expect(zip(pixel, wanted).allSatisfy { abs($0 - $1) <= 14 }, "\(place): \(pixel), not \(wanted)")
        }
        guard sample.hasAlpha else { return }
        let alphas = try places.map { try Workbench.pixel(bytes, as: format, x: $0.0, y: $0.1)[3] }
        #expect(zip(alphas, [255, 192, 128, 64]).allSatisfy { abs($0 - $1) <= 8 }, "\(alphas)")
    }

    @Test(arguments: ["grey.jpg", "grey-gamma.jpg"])
    func `the rendition of a gray image is gray, and has the tones of the image's profile`(_ name: String) throws {
        let outcome = Workbench.run(Workbench.fixture(name), as: .jpeg, [Workbench.order(.thumbnail, 96)])
        let bytes = try #require(outcome.outputs.first)
        for (place, wanted) in zip([(8, 8), (87, 8), (8, 55), (87, 55)], [85, 115, 73, 194]) {
            let pixel = try Workbench.pixel(bytes, as: .jpeg, x: place.0, y: place.1)
            #expect(pixel.prefix(3).allSatisfy { abs($0 - wanted) <= 8 }, "\(place): \(pixel), not \(wanted)")
        }
    }

    @Test(arguments: [("bmp-24.bmp", MediaFormat.bmp), ("tiff-lzw.tif", .tiff), ("tiff-deflate-rgba.tif", .tiff)])
    func `a truncated bitmap is refused`(_ name: String, _ format: MediaFormat) {
        let source = Workbench.fixture(name)
        for part in 1..<8 {
            let outcome = Workbench.run(
                Array(source.prefix(source.count * part / 8)), as: format, [Workbench.order(.thumbnail, 32)])
            #expect(outcome.failure != nil, "\(part)/8")
        }
    }

    @Test func `a truncated icon is shown as its largest complete image`() throws {
        let source = Workbench.fixture("icon.ico")
        let outcome = Workbench.run(Array(source.dropLast(9)), as: .ico, [Workbench.order(.attachment, 1_024)])
        #expect(outcome.reports.first?.width == 48, "\(outcome.reply)")
        #expect(Workbench.run(Array(source.prefix(64)), as: .ico, [Workbench.order(.thumbnail, 32)]).failure != nil)
    }

    @Test func `a TIFF with damaged pixels is refused`() {
        var source = Workbench.fixture("tiff-deflate-rgba.tif")
        for offset in source.indices.dropFirst(40).prefix(source.count / 3) { source[offset] = 0xEE }
        #expect(Workbench.run(source, as: .tiff, [Workbench.order(.thumbnail, 32)]).failure == .corrupt)
    }

    @Test(arguments: [
        ("tiff-tiles-rgb-zip.tif", 0.5), ("tiff-jpeg-tiles.tif", 0.5), ("tiff-ycbcr-tiles.tif", 0.5),
        ("tiff-cmyk-profile-tiles.tif", 0.5), ("tiff-tiles-bits.tif", 0.6),
    ])
    func `a TIFF with damaged tiles is refused`(_ name: String, _ place: Double) {
        var source = Workbench.fixture("../corners/" + name)
        let middle = Int(Double(source.count) * place)
        for offset in middle..<middle + 200 { source[offset] = 0xEE }
        #expect(Workbench.run(source, as: .tiff, [Workbench.order(.thumbnail, 32)]).failure == .corrupt)
    }

    /// The profile of this test exchanges red and blue.
    @Test func `a CMYK TIFF ignores an RGB profile`() throws {
        let plain = Workbench.fixture("tiff-cmyk.tif")
        let source = Self.tiff(plain, profile: SampleProfile.redAndBlueSwapped)
        let order = [Workbench.order(.thumbnail, 96)]
        let outputs = [plain, source].map { Workbench.run($0, as: .tiff, order).outputs }
        #expect(outputs[0] == outputs[1])
    }

    /// Returns a little-endian TIFF with one more tag. A profile is added at the end, and the directory is written
    /// again after the profile.
    private static func tiff(_ bytes: [UInt8], profile: [UInt8]) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
        func number(_ offset: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        let directory = number(4, 4)
        let count = number(directory, 2)
        // The tag 34,675 is the greatest one, and the type 7 stands for bytes without a type.
        let added = little(34_675, 2) + little(7, 2) + little(profile.count, 4) + little(bytes.count, 4)
        let entries = bytes[directory + 2..<directory + 2 + 12 * count] + added
        var changed = bytes + profile
        changed.replaceSubrange(4..<8, with: little(changed.count, 4))
        return changed + little(count + 1, 2) + entries + little(0, 4)
    }
}
