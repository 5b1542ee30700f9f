import Base
import Testing
import TranscodeProtocol

@testable import TranscodePool

/// The tests of the costs of media, which are learned from earlier media.
struct TranscodeEstimatorTests {
    private let photo = TranscodeSource.test(.jpeg, pixels: 12_000_000, byteCount: 3_000_000)
    private let small = TranscodeSource.test(.jpeg, pixels: 480_000, byteCount: 70_000)
    private let cost = TranscodeCost(ordered: 60_000, least: 30_000, made: 60_000)

    /// Returns an estimator that has learned from jobs.
    ///
    /// - Parameter factor: The factor by which this machine is slower.
    private func trained(_ factor: Double = 1, jobs: Int = 60) -> TranscodeEstimator {
        var estimator = TranscodeEstimator()
        for _ in 0..<jobs {
            estimator.note(photo, from: "a.example", took: 62_000 * factor, worked: 60_000 * factor, cost: cost)
        }
        return estimator
    }

    private func isNear(_ value: Double, _ other: Double) -> Bool { abs(value - other) <= other * 0.02 }

    @Test func `the estimated cost of an unknown job is zero`() {
        let estimator = TranscodeEstimator()
        #expect(estimator.estimate(ofHost: "a.example") == TranscodeEstimate())
        #expect(estimator.estimate(of: photo, from: "a.example") == TranscodeEstimate())
    }

    @Test(arguments: [0.5, 1, 3])
    func `the cost of a size class is the time of its last jobs at this machine's speed`(factor: Double) {
        let estimator = trained(factor)
        let estimate = estimator.estimate(of: photo, from: "b.example")
        #expect(isNear(estimator.pace.factor, factor))
        #expect(isNear(estimate.ordered, 62_000) && isNear(estimate.least, 30_000))
    }

    @Test func `the cost of an unknown size is the mean of its host`() {
        var other = photo
        other.pixels = 50_000_000
        #expect(isNear(trained().estimate(of: other, from: "a.example").ordered, 62_000))
    }

    @Test func `a video of unknown cost is a long job at any speed of this machine`() {
        let video = TranscodeSource.test(.avi, byteCount: 12_000_000)
        for factor in [0.5, 1, 3] {
            let estimator = trained(factor)
            #expect(estimator.estimate(of: video, from: "b.example").ordered * estimator.pace.factor > 1_000_000)
            #expect(isNear(estimator.estimate(of: video, from: "a.example").ordered, 62_000))
        }
    }

    @Test func `the costs of small and of large images of one format are learned separately`() {
        var estimator = trained()
        let few = TranscodeCost(ordered: 4_000, least: 3_000, made: 4_000)
        for _ in 0..<60 { estimator.note(small, from: "b.example", took: 5_000, worked: 4_000, cost: few) }
        #expect(isNear(estimator.estimate(of: photo, from: "c.example").ordered, 62_000))
        #expect(isNear(estimator.estimate(of: small, from: "c.example").ordered, 5_000))
    }

    @Test
    func
        `the estimated cost of a media item before its download is the mean cost of its host, or of all hosts for a new host`()
    {
        var estimator = trained()
        let few = TranscodeCost(ordered: 4_000, least: 3_000, made: 4_000)
        for _ in 0..<3 { estimator.note(small, from: "b.example", took: 5_000, worked: 4_000, cost: few) }
        #expect(isNear(estimator.estimate(ofHost: "a.example").ordered, 62_000))
        #expect(isNear(estimator.estimate(ofHost: "b.example").ordered, 5_000))
        let other = estimator.estimate(ofHost: "c.example").ordered
        #expect(other > 5_000 && other < 62_000)
        #expect(isNear(estimator.estimate(ofHost: "a.example").least, 30_000))
        // The media of an unknown host may be small, and are always tried.
        #expect(estimator.estimate(ofHost: "c.example").least == 0)
    }

    @Test func `the least cost of a video is the time of its still images if that exceeds the header's estimate`() {
        let video = TranscodeSource.test(.matroska, byteCount: 2_000_000)
        let cost = TranscodeCost(ordered: 3_000_000, least: 7_000, made: 3_000_000)
        for (stillsTook, least) in [(60_000, 60_000), (5_000, 7_000), (nil, 7_000)] as [(Double?, Double)] {
            var estimator = TranscodeEstimator()
            for _ in 0..<60 {
                estimator.note(
                    video, from: "a.example", took: 3_000_000, worked: 3_000_000, cost: cost, stillsTook: stillsTook)
            }
            #expect(isNear(estimator.estimate(ofHost: "a.example").least, least))
            #expect(isNear(estimator.estimate(of: video, from: "a.example").least, least))
        }
    }

    @Test func `the cost of a still of a part is its host's least cost until its format has a mean`() {
        let video = TranscodeSource.test(.avi, byteCount: 12_000_000)
        var part = video
        part.isPart = true
        let cost = TranscodeCost(ordered: 3_000_000, least: 60_000, made: 3_000_000)
        var estimator = TranscodeEstimator()
        #expect(estimator.estimate(of: part, from: "a.example") == TranscodeEstimate())
        for _ in 0..<60 {
            estimator.note(video, from: "a.example", took: 3_000_000, worked: 3_000_000, cost: cost)
            estimator.note(part, from: "a.example", took: 90_000, worked: 90_000, cost: nil)
        }
        let estimate = estimator.estimate(of: part, from: "a.example")
        #expect(isNear(estimate.ordered, 60_000) && estimate.least == estimate.ordered)
        #expect(isNear(estimator.estimate(ofHost: "a.example").ordered, 3_000_000))
    }

    /// If the cost of the smaller rendition were learned, the estimate would fall during an overload. The pool would
    /// then admit more jobs than it can finish.
    @Test func `a reduced rendition counts with the cost of the ordered size`() {
        var estimator = TranscodeEstimator()
        let reduced = TranscodeCost(ordered: 60_000, least: 30_000, made: 30_000)
        for _ in 0..<60 { estimator.note(photo, from: "a.example", took: 31_000, worked: 30_000, cost: reduced) }
        #expect(isNear(estimator.estimate(of: photo, from: "a.example").ordered, 62_000))
    }

    @Test func `an estimator learns from the time of a job, and ignores the start time of its worker`() {
        var estimator = TranscodeEstimator()
        for _ in 0..<60 { estimator.note(photo, from: "a.example", took: nil, worked: 120_000, cost: cost) }
        #expect(isNear(estimator.pace.factor, 2))
        #expect(isNear(estimator.estimate(of: photo, from: "a.example").ordered, 60_000))
    }

    @Test func `only a kill after the estimated time raises the estimate`() {
        var estimator = trained()
        estimator.noteOverrun(photo, from: "a.example", took: 30_000)
        #expect(isNear(estimator.estimate(of: photo, from: "a.example").ordered, 62_000))
        for _ in 0..<30 { estimator.noteOverrun(photo, from: "a.example", took: 200_000) }
        #expect(estimator.estimate(of: photo, from: "a.example").ordered > 190_000)
    }

    @Test func `a worker that reports wrong costs cannot make an estimate useless`() {
        var estimator = TranscodeEstimator()
        let lies = [
            TranscodeCost(ordered: .max, least: .max, made: 1), TranscodeCost(ordered: 0, least: .max, made: 0),
            TranscodeCost(ordered: .max, least: 0, made: nil),
        ]
        for lie in lies { estimator.note(photo, from: "a.example", took: 10, worked: 10, cost: lie) }
        let estimate = estimator.estimate(of: photo, from: "a.example")
        #expect(estimate.ordered.isFinite && estimate.ordered >= 0 && estimate.least <= estimate.ordered)
        for _ in 0..<90 { estimator.note(photo, from: "a.example", took: 62_000, worked: 60_000, cost: cost) }
        #expect(isNear(estimator.pace.factor, 1))
        #expect(estimator.estimate(of: photo, from: "a.example").ordered < 80_000_000)
    }
}

extension TranscodeSource {
    static func test(_ format: MediaFormat, pixels: Int? = nil, byteCount: Int) -> TranscodeSource {
        var source = TranscodeSource(format, byteCount: byteCount)
        source.pixels = pixels
        return source
    }
}
