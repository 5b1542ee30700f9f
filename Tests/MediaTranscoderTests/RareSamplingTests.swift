import Base
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of JPEGs whose sampling has no name in libjpeg-turbo and no format in swscale. The image is red on the
/// left and blue on the right.
struct RareSamplingTests {
    struct Sampling: Sendable, CustomTestStringConvertible {
        var factors: [(across: Int, down: Int)]
        var testDescription: String { factors.map { "\($0.across)x\($0.down)" }.joined(separator: ",") }
    }

    @Test(arguments: [
        Sampling(factors: [(3, 1), (1, 1), (1, 1)]), Sampling(factors: [(4, 2), (1, 1), (1, 1)]),
        Sampling(factors: [(2, 2), (2, 1), (1, 2)]), Sampling(factors: [(1, 4), (1, 1), (1, 1)]),
        Sampling(factors: [(2, 2), (1, 1), (2, 2)]),
    ])
    func `the colors of a JPEG with a rare sampling are not shifted at any size`(_ sampling: Sampling) throws {
        let source = try SampleJPEG.scans(
            width: 192, height: 96, sampling: sampling.factors, levels: [(76, 29), (85, 255), (255, 107)])
        let outcome = Workbench.run(
            source, as: .jpeg,
            [190, 96, 48].map { Workbench.order(.attachment, $0) }
                + [
                    Workbench.order(
                        .thumbnail, 40, clip: Rectangle<UInt32>(x: 500_000, y: 0, width: 500_000, height: 1_000_000))
                ]
        )
        try #require(outcome.outputs.count == 4 && outcome.failure == nil, "\(outcome.reply)")
        for (bytes, report) in zip(outcome.outputs.prefix(3), outcome.reports) {
            let (width, height) = (Int(report.width), Int(report.height))
            let left = try Workbench.pixel(bytes, as: .jpeg, x: width / 4, y: height / 2)
            let right = try Workbench.pixel(bytes, as: .jpeg, x: width * 3 / 4, y: height / 2)
            #expect(left[0] > 240 && left[1] < 16 && left[2] < 16, "\(left)")
            #expect(right[0] < 16 && right[1] < 16 && right[2] > 240, "\(right)")
        }
        let part = try Workbench.pixel(outcome.outputs[3], as: .jpeg, x: 20, y: 20)
        #expect(part[0] < 16 && part[1] < 16 && part[2] > 240, "\(part)")
    }
}
