import Base
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

@Suite struct BoxDownscaleTests {
    @Test func `each reduced sample is the mean of a square, or of the remaining columns at the right edge`() {
        // The source is 5 samples wide and has 2 rows, which are 6 bytes apart.
        let source: [UInt8] = [0, 10, 20, 30, 100, 0, 20, 30, 40, 50, 101, 0]
        var target = [UInt8](repeating: 9, count: 5)
        var span = target.mutableSpan
        BoxDownscale.shrink(source.span, width: 5, rows: 0..<2, stride: 6, by: 2, into: &span, at: 1)
        #expect(target == [9, 15, 35, 101, 9])
    }

    @Test(arguments: [3, 20, 40, 64, 100, 333, 1_000])
    func `a large image is reduced to each requested size, with the right color at its edge`(_ side: UInt32) throws {
        let source = try SampleImage.halfTransparentPNG(width: 1_001, height: 903)
        let outcome = Workbench.run(source, as: .png, [Workbench.order(.thumbnail, side)])
        #expect(outcome.reports.first?.width == side)
        let right = try Workbench.pixel(outcome.outputs[0], as: .png, x: Int(side) - 1, y: 0)
        #expect(right[0] > 245 && right[3] > 245)
    }
}
