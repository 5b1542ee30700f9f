import MediaHeaders
import TestSupport
import Testing

/// Tests of real JPEG files of kinds that cameras and phones do not write.
@Suite struct RareJPEGTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        var name: String
        var process = JPEGHeader.Process.baseline
        /// The horizontal and vertical sampling of the first component.
        var sampling = [2, 2]
        var components = 3
        var hasProfile = false
        var testDescription: String { name }
    }

    static let samples = [
        Sample(name: "arithmetic.jpg", process: .arithmetic),
        Sample(name: "arithmetic-progressive.jpg", process: .arithmeticProgressive),
        Sample(name: "progressive-small.jpg", process: .progressive),
        Sample(name: "grey.jpg", sampling: [1, 1], components: 1),
        Sample(name: "grey-gamma.jpg", sampling: [1, 1], components: 1, hasProfile: true),
        Sample(name: "display-p3.jpg", hasProfile: true),
        Sample(name: "cmyk.jpg", sampling: [1, 1], components: 4), Sample(name: "ycck.jpg", components: 4),
        Sample(name: "jpeg-444.jpg", sampling: [1, 1]), Sample(name: "jpeg-422.jpg", sampling: [2, 1]),
        Sample(name: "jpeg-440.jpg", sampling: [1, 2]), Sample(name: "jpeg-411.jpg", sampling: [4, 1]),
    ]

    @Test(arguments: samples)
    func `the header of a rare JPEG has its process, sampling and profile`(_ sample: Sample) throws {
        let bytes = SampleFile.fixture(sample.name)
        let header = try JPEGHeader(file: bytes)
        #expect([header.width, header.height] == [192, 128] && header.isComplete)
        #expect(header.process == sample.process && header.components.count == sample.components)
        let first = header.components[0]
        #expect([first.horizontalSampling, first.verticalSampling] == sample.sampling)
        #expect(header.hasPlainSampling == (sample.sampling[0] < 4 && sample.components < 4))
        let profile = header.colorProfile.flatMap { bytes[$0] }
        #expect(profile.dropFirst(36).prefix(4).elementsEqual(sample.hasProfile ? Array("acsp".utf8) : []))
        #expect(!header.hasMetadata && header.orientation == .upright)
    }
}
