import Base
import CFFmpeg
import MediaHeaders
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of images with an ICC profile. Their renditions are in sRGB and have no profile.
struct ColorConversionTests {
    private static func jpeg(profile: [UInt8]) throws -> [UInt8] {
        // The color is red, with a luma of 76 and its chroma.
        let bytes = try SampleImage.jpeg(width: 96, height: 64, color: [76, 85, 255])
        let body = Array("ICC_PROFILE\0".utf8) + [1, 1] + profile
        let length = body.count + 2
        return bytes.prefix(2) + [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)] + body + bytes.dropFirst(2)
    }

    @Test func `an image with other primaries is converted to sRGB`() throws {
        let source = try Self.jpeg(profile: SampleProfile.redAndBlueSwapped)
        let outcome = Workbench.run(source, as: .jpeg, [.init(.attachment, 48), .init(.thumbnail, 24)])
        try #require(outcome.reports.count == 2, "\(outcome.reply)")
        for bytes in outcome.outputs {
            let pixel = try Workbench.pixel(bytes, as: .jpeg, x: 12, y: 8)
            #expect(pixel[0] < 12 && pixel[1] < 12 && pixel[2] > 243, "\(pixel)")
            #expect(!bytes.contains(Array("ICC_PROFILE".utf8)))
        }
    }

    @Test(arguments: [SampleProfile.ordinary, Array("no profile".utf8), []])
    func `the profile of sRGB and an invalid profile do not change the colors`(_ profile: [UInt8]) throws {
        let outcome = Workbench.run(try Self.jpeg(profile: profile), as: .jpeg, [.init(.thumbnail, 24)])
        let pixel = try Workbench.pixel(try #require(outcome.outputs.first), as: .jpeg, x: 12, y: 8)
        #expect(pixel[0] > 243 && pixel[1] < 12 && pixel[2] < 12, "\(pixel)")
    }

    /// The expected colors are those of Little CMS in `scripts/make-picture-fixtures` (perceptual, with black point
    /// compensation).
    @Test(arguments: [
        ("grey-alpha-gamma.png", MediaFormat.png, [[85, 85, 85], [115, 115, 115], [73, 73, 73], [194, 194, 194]]),
        ("table-profile.jpg", .jpeg, [[208, 25, 30], [30, 168, 62], [36, 61, 209], [225, 208, 36]]),
        ("ink-profile.jpg", .jpeg, [[178, 92, 64], [94, 145, 112], [93, 103, 140], [221, 206, 111]]),
    ])
    func `the profiles of gray with alpha, of tables and of CMYK are applied`(
        _ name: String, _ format: MediaFormat, _ wanted: [[Int]]
    ) throws {
        let outcome = Workbench.run(Workbench.fixture(name), as: format, [.init(.thumbnail, 96)])
        let bytes = try #require(outcome.outputs.first, "\(outcome.reply)")
        for (place, wanted) in zip([(6, 6), (89, 6), (6, 57), (89, 57)], wanted) {
            let pixel = try Workbench.mean(bytes, as: format, x: place.0, y: place.1)
            #expect(zip(pixel, wanted).allSatisfy { abs($0 - $1) <= 4 }, "\(place): \(pixel), not \(wanted)")
        }
    }

    @Test func `a profile of gray does not change colors`() throws {
        var png = try SampleImage.halfTransparentPNG(width: 96, height: 64)
        // The chunk with the profile of a gray image is inserted after the header chunk.
        let gray = Workbench.fixture("grey-alpha-gamma.png")
        let name = try #require(gray.firstRange(of: Array("iCCP".utf8)))
        let length = gray[name.lowerBound - 4..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
        png.insert(contentsOf: gray[name.lowerBound - 4..<name.upperBound + length + 4], at: 33)
        let outcome = Workbench.run(png, as: .png, [.init(.thumbnail, 48)])
        let pixel = try Workbench.pixel(try #require(outcome.outputs.first), as: .png, x: 40, y: 16)
        #expect(pixel[0] > 250 && pixel[1] < 4 && pixel[2] < 4, "\(pixel)")
    }

    @Test func `a copied file keeps its profile`() throws {
        let source = try Self.jpeg(profile: SampleProfile.redAndBlueSwapped)
        let outcome = Workbench.run(source, as: .jpeg, [.init(.attachment, 96)])
        #expect(outcome.outputs == [source])
    }
}

extension RenditionSpec {
    fileprivate init(_ role: RenditionKind, _ side: UInt32) {
        self = Workbench.order(role, side)
    }
}
