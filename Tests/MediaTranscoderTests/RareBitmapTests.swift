import Base
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of BMPs that FFmpeg's decoder refuses or shows with gaps.
@Suite struct RareBitmapTests {
    private static let places = [(8, 8), (87, 8), (8, 55), (87, 55)]

    private func pixels(_ bytes: [UInt8]) throws -> (format: MediaFormat, pixels: [[Int]]) {
        let outcome = Workbench.run(bytes, as: .bmp, [Workbench.order(.attachment, 1_024)])
        let report = try #require(outcome.reports.first, "\(outcome.reply)")
        let output = outcome.outputs[0]
        return (
            report.format,
            try Self.places.map { try Workbench.mean(output, as: report.format, x: $0.0, y: $0.1) }
        )
    }

    @Test func `a BMP with masks in an unusual order is shown with its colors`() throws {
        let source = Workbench.fixture("bmp-32-alpha.bmp")
        var swapped = source
        // The masks of red and green are in the header of 124 bytes.
        swapped.replaceSubrange(54..<58, with: source[58..<62])
        swapped.replaceSubrange(58..<62, with: source[54..<58])
        let (plain, drawn) = (try pixels(source), try pixels(swapped))
        #expect(plain.format == .png && drawn.format == .png)
        for (one, other) in zip(plain.pixels, drawn.pixels) {
            #expect([other[1], other[0], other[2], other[3]] == one, "\(other) for \(one)")
        }
    }

    @Test func `a color that a palette lacks is black and not transparent`() throws {
        var source = Workbench.fixture("bmp-8-palette.bmp")
        // The field is the number of colors in the palette.
        source.replaceSubrange(46..<50, with: [1, 0, 0, 0])
        let made = try pixels(source)
        #expect(made.format == .jpeg)
        #expect(made.pixels.allSatisfy { $0[0] < 8 && $0[1] < 8 && $0[2] < 8 }, "\(made.pixels)")
    }
}
