import CFFmpeg
import MediaHeaders
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// Pictures with an ICC profile come out in sRGB, without one.
struct ColorConversionTests {
    private static func jpeg(profile: [UInt8]) throws -> [UInt8] {
        // Red: luma 76, and the differences of it.
        let bytes = try SamplePicture.jpeg(width: 96, height: 64, color: [76, 85, 255])
        let body = Array("ICC_PROFILE\0".utf8) + [1, 1] + profile
        let length = body.count + 2
        return bytes.prefix(2) + [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)] + body + bytes.dropFirst(2)
    }

    @Test func `colours of other primaries become those of sRGB`() throws {
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
    func `sRGB's own profile, and what is none, change nothing`(_ profile: [UInt8]) throws {
        let outcome = Workbench.run(try Self.jpeg(profile: profile), as: .jpeg, [.init(.thumbnail, 24)])
        let pixel = try Workbench.pixel(try #require(outcome.outputs.first), as: .jpeg, x: 12, y: 8)
        #expect(pixel[0] > 243 && pixel[1] < 12 && pixel[2] < 12, "\(pixel)")
    }

    @Test func `a file that is handed on keeps its profile`() throws {
        let source = try Self.jpeg(profile: SampleProfile.redAndBlueSwapped)
        let outcome = Workbench.run(source, as: .jpeg, [.init(.attachment, 96)])
        #expect(outcome.outputs == [source])
    }
}

extension RenditionOrder {
    fileprivate init(_ role: RenditionRole, _ side: UInt32) {
        self = Workbench.order(role, side)
    }
}
