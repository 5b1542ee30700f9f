import TestSupport
import Testing

@testable import MediaHeaders

struct AnimationTimesTests {
    @Test func `a short delay is replaced as in browsers, and a fraction is added to the next delay`() {
        var times = AnimationTimes()
        for delay in [0, 10_000, 10_001, 20_000] { times.append(microseconds: delay) }
        #expect(times.delays == [100, 100, 10, 20])
        var thirds = AnimationTimes()
        for _ in 0..<30 { thirds.append(microseconds: 33_333) }
        #expect(Set(thirds.delays) == [33, 34] && thirds.delays.reduce(0, +) == 1_000)
    }

    @Test func `the frames within both limits are retained, and the first frame is always retained`() {
        var times = AnimationTimes()
        times.append(5, microseconds: 50_000)
        #expect(times.kept(maxFrames: 3, maxMilliseconds: 1_000).count == 3)
        #expect(times.kept(maxFrames: 9, maxMilliseconds: 100).count == 2)
        #expect(times.kept(maxFrames: 9, maxMilliseconds: 1).count == 1)
        #expect(times.kept(maxFrames: 5, maxMilliseconds: 250).count == 5)
    }

    @Test func `a row that declares billions of frames is counted but not listed`() {
        var times = AnimationTimes()
        for _ in 0..<3 { times.append(.max, microseconds: .max) }
        #expect(times.count == .max && times.delays.count == AnimationTimes.maxListed)
    }

    @Test(arguments: ["drawing", "alpha"])
    func `the headers of WebP, APNG and AVIF report the delay of each frame`(_ name: String) throws {
        let (wanted, directory) = ([30, 70, 100, 400, 33, 250], "../animations/")
        let webp = try WebPHeader(file: SampleFile.fixture("\(directory)\(name).webp"))
        #expect(webp.times.delays == wanted && webp.isAnimated)
        #expect(try PNGHeader(file: SampleFile.fixture("\(directory)\(name).png")).times.delays == wanted)
        let avif = try HEIFHeader(file: SampleFile.fixture("\(directory)\(name).avif"))
        let sequence = try #require(avif.sequence)
        #expect(sequence.times.delays == wanted && avif.isUnframedAV1)
        #expect(sequence.alpha != nil || name != "alpha")
    }
}
