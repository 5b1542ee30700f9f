import Base
import Foundation
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of the PNG chunks that define the colors (PNG, third edition, 11.3.2).
@Suite struct PNGColorTests {
    static let colors = [[220, 30, 30], [30, 180, 40], [30, 60, 220], [230, 220, 40]]
    /// The matrix from linear light in the primaries of sRGB to that in the primaries of BT.2020.
    private static let toBT2020 = [
        [0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956],
    ]

    private static func quarter(_ x: Int, _ y: Int) -> [Int] { colors[(y < 16 ? 0 : 2) + (x < 20 ? 0 : 1)] }

    /// Returns the 16-bit PQ code value of a luminance in cd/m² (ITU-R BT.2100-2, table 4).
    private static func pq(_ luminance: Double) -> Int {
        let root = pow(luminance / 10_000, 0.159_301_757_812_5)
        return Int((65_535 * pow((0.835_937_5 + 18.851_562_5 * root) / (1 + 18.687_5 * root), 78.843_75)).rounded())
    }

    /// Returns the HLG code value of the scene light, 0…1 (ITU-R BT.2100-2, table 5).
    private static func hlg(_ light: Double) -> Int {
        let number =
            light <= 1 / 12.0 ? (3 * light).squareRoot() : 0.178_832_77 * log(12 * light - 0.284_668_92) + 0.559_910_73
        return Int((65_535 * min(1, max(0, number))).rounded())
    }

    private static func light(_ color: [Int], _ white: Double) -> [Double] {
        let linear = color.map { pow(Double($0) / 255, 2.2) * white }
        return toBT2020.map { row in zip(row, linear).map { $0 * $1 }.reduce(0, +) }
    }

    static func hdr(_ transfer: UInt8, hasAlpha: Bool = false) -> SamplePNG {
        SamplePNG(
            bitDepth: 16, colorType: hasAlpha ? 6 : 2, chunks: [("cICP", [9, transfer, 0, 1])],
            pixel: { x, y in
                let samples =
                    transfer == 16
                    ? light(quarter(x, y), 203).map(pq) : hlgScene(light(quarter(x, y), 203 / 1_000.0)).map(hlg)
                return samples + [x < 20 ? 65_535 : 32_768]
            })
    }

    /// Returns the scene light of a display light (the inverse OOTF, with a gamma of 1.2).
    private static func hlgScene(_ display: [Double]) -> [Double] {
        let luminance = 0.2627 * display[0] + 0.678 * display[1] + 0.0593 * display[2]
        return display.map { luminance > 0 ? $0 * pow(luminance, (1 - 1.2) / 1.2) : 0 }
    }

    private func still(_ png: SamplePNG, side: UInt32 = 20) throws -> (RenditionReport, [UInt8], MediaFormat) {
        let outcome = Workbench.run(png.bytes, as: .png, [Workbench.order(.thumbnail, side)])
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        return (report, outcome.outputs[0], report.format)
    }

    private func expectColors(_ bytes: [UInt8], as format: MediaFormat, within: Int, alphas: Bool = false) throws {
        for (number, place) in [(4, 4), (15, 4), (4, 11), (15, 11)].enumerated() {
            let pixel = try Workbench.mean(bytes, as: format, x: place.0, y: place.1)
            let isNear = zip(pixel, Self.colors[number]).allSatisfy { abs($0 - $1) <= within }
            #expect(isNear, "quarter \(number): \(pixel) for \(Self.colors[number])")
            if alphas { #expect(abs(pixel[3] - (number % 2 == 0 ? 255 : 128)) <= 3, "\(pixel)") }
        }
    }

    @Test(arguments: [UInt8(16), 18], [false, true])
    func `a PNG with high dynamic range is converted to SDR`(_ transfer: UInt8, _ hasAlpha: Bool) throws {
        let (_, bytes, format) = try still(Self.hdr(transfer, hasAlpha: hasAlpha))
        // Tones above 0.43 of white become darker, so that brighter tones can be shown.
        try expectColors(bytes, as: format, within: 40, alphas: hasAlpha)
    }

    @Test func `a PNG with wide primaries is converted to sRGB`() throws {
        let named = SamplePNG(chunks: [("cICP", [12, 13, 0, 1])]) { _, _ in [200, 100, 100, 255] }
        let (_, bytes, format) = try still(named)
        let pixel = try Workbench.mean(bytes, as: format, x: 10, y: 8)
        // A color in Display P3 is more saturated than the same code value in sRGB.
        #expect(pixel[0] > 205 && pixel[1] < 98, "\(pixel)")
    }

    @Test func `a copied PNG keeps its cICP chunk`() throws {
        let png = SamplePNG(chunks: [("cICP", [9, 16, 0, 1])])
        let outcome = Workbench.run(png.bytes, as: .png, [Workbench.order(.attachment, 400)])
        #expect(outcome.outputs.first?.elementsEqual(png.bytes) == true)
    }

    @Test(arguments: [[1, 13, 0, 1], [12, 13, 1, 1], [9, 16, 0, 0], [2, 2, 0, 1]] as [[UInt8]])
    func `a cICP chunk that declares no RGB colors is ignored`(_ body: [UInt8]) throws {
        var png = SamplePNG(chunks: [("cICP", body)])
        png.pixel = { x, y in Self.quarter(x, y) + [255] }
        let (_, bytes, format) = try still(png)
        try expectColors(bytes, as: format, within: 4)
    }

    @Test(
        arguments: [
            ("iCCP", Array("ICC\0\0no zlib data".utf8)), ("iCCP", Array("ICC\0\u{1}x".utf8)), ("iCCP", []),
            ("iCCP", Array("ICC\0\0".utf8) + [0x78, 0x01, 0xFF, 0xFF, 0xFF]), ("iCCP", [0x78, 0x01]),
            ("gAMA", [0, 0]), ("cHRM", [1]), ("sRGB", [0, 0]), ("sBIT", []), ("pHYs", [1, 2, 3]), ("cICP", [9]),
            ("tRNS", [1]), ("tEXt", [0]), ("zTXt", Array("a\0\0no zlib".utf8)), ("eXIf", [1]), ("tIME", [0]),
            ("hIST", [0]),
            ("bKGD", []), ("sPLT", [0]), ("iTXt", [0xFF]),
        ] as [(String, [UInt8])])
    func `an ancillary chunk that cannot be read does not change the image`(
        _ type: String, _ body: [UInt8]
    ) throws {
        var png = SamplePNG(chunks: [(type, body)])
        png.pixel = { x, y in Self.quarter(x, y) + [255] }
        let (_, bytes, format) = try still(png)
        try expectColors(bytes, as: format, within: 4)
    }

    @Test(arguments: ["iCCP", "gAMA", "cHRM", "sRGB", "tRNS", "cICP", "tEXt", "pHYs"])
    func `an ancillary chunk with a wrong checksum does not change the image`(_ type: String) throws {
        let bodies: [String: [UInt8]] = [
            "gAMA": [0, 0, 0, 1], "cHRM": [UInt8](repeating: 9, count: 32), "sRGB": [0],
            "tRNS": [0, 220, 0, 30, 0, 30],
            "cICP": [9, 16, 0, 1], "pHYs": [0, 0, 0, 1, 0, 0, 0, 9, 1],
        ]
        var png = SamplePNG(chunks: [(type, bodies[type] ?? Array("text".utf8))])
        png.pixel = { x, y in Self.quarter(x, y) + [255] }
        var bytes = png.bytes
        let chunk = 8 + 25
        let length = Int(bytes[chunk + 3])
        bytes[chunk + 8 + length] ^= 0xFF
        let outcome = Workbench.run(bytes, as: .png, [Workbench.order(.thumbnail, 20)])
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        try expectColors(outcome.outputs[0], as: report.format, within: 4)
    }

    @Test(arguments: [[0xFF, 0xFF, 0xFF, 0xFF] + Array("IDAT".utf8), [0, 0, 0, 0] + Array("QQQQ".utf8)] as [[UInt8]])
    func `an unreadable chunk does not change the image before it`(_ chunk: [UInt8]) throws {
        var png = SamplePNG()
        png.pixel = { x, y in Self.quarter(x, y) + [255] }
        var bytes = png.bytes
        bytes.insert(contentsOf: chunk + [1, 2, 3, 4], at: bytes.count - 12)
        let outcome = Workbench.run(bytes, as: .png, [Workbench.order(.thumbnail, 20)], showsDamage: true)
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        try expectColors(outcome.outputs[0], as: report.format, within: 4)
        // With such a chunk before the image, nothing can be shown.
        var early = png.bytes
        early.insert(contentsOf: chunk + [1, 2, 3, 4], at: 33)
        let refused = Workbench.run(early, as: .png, [Workbench.order(.thumbnail, 20)], showsDamage: true)
        #expect(refused.failure == .corrupt)
    }

    @Test func `a PNG in Apple's variant is refused, and the error names the variant`() throws {
        var bytes = SamplePNG().bytes
        bytes.insert(contentsOf: SamplePNG.chunk("CgBI", [0x50, 0, 0x20, 2]), at: 8)
        let outcome = Workbench.run(bytes, as: .png, [Workbench.order(.thumbnail, 20)])
        guard case .failure(let failure) = outcome.reply.result else { return #expect(Bool(false), "it was shown") }
        #expect(failure.code == .unsupported && failure.detail.contains("CgBI"))
    }

    @Test func `the thumbnail of an animation shows its first frame and not a separate default image`() throws {
        func control(_ number: Int) -> [UInt8] {
            SamplePNG.chunk(
                "fcTL",
                SamplePNG.big(number) + SamplePNG.big(40) + SamplePNG.big(32) + SamplePNG.big(0) + SamplePNG.big(0)
                    + [0, 1, 0, 2, 0, 0])
        }
        let black = SamplePNG()
        let colors = SamplePNG { x, y in Self.quarter(x, y) + [255] }
        let white = SamplePNG { _, _ in [250, 250, 250, 255] }
        var bytes = SamplePNG(chunks: [("acTL", SamplePNG.big(2) + SamplePNG.big(0))]).bytes
        let end = bytes.count - 12
        let frames =
            control(0) + SamplePNG.chunk("fdAT", SamplePNG.big(1) + colors.data) + control(2)
            + SamplePNG.chunk("fdAT", SamplePNG.big(3) + white.data)
        bytes.insert(contentsOf: frames, at: end)
        #expect(black.data.count == colors.data.count)
        let outcome = Workbench.run(bytes, as: .png, [Workbench.order(.thumbnail, 20)])
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        try expectColors(outcome.outputs[0], as: report.format, within: 6)
    }
}
