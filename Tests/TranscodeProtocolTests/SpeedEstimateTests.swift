import Testing

@testable import TranscodeProtocol

struct SpeedEstimateTests {
    @Test func `the speed estimate before the first job assumes a slower machine`() {
        #expect(SpeedEstimate().expected(in: 1_875) == 1_000)
    }

    @Test(arguments: [0.25, 1, 4])
    func `the speed estimate approaches the real speed of the machine`(factor: Double) {
        var pace = SpeedEstimate()
        for _ in 0..<60 { pace.note(expected: 10_000, took: 10_000 * factor) }
        #expect(abs(pace.factor - factor) < 0.01)
        #expect(abs(pace.expected(in: 1_500) - 1_000 / factor) < 20)
    }

    @Test func `one delayed job changes the estimate by less than 25 %, and the estimate stays in its range`() {
        var pace = SpeedEstimate()
        for _ in 0..<60 { pace.note(expected: 10_000, took: 10_000) }
        pace.note(expected: 10_000, took: 20_000)
        #expect(pace.factor < 1.25)
        for _ in 0..<1_000 { pace.note(expected: 1_000, took: 1e12) }
        #expect(pace.factor <= 20)
        for _ in 0..<1_000 { pace.note(expected: 1e12, took: 1) }
        #expect(pace.factor >= 0.1)
    }

    @Test func `a job that is too short or has no valid time does not change the estimate`() {
        var pace = SpeedEstimate()
        for (expected, took) in [(999.0, 100_000.0), (0, 5), (-1, 5), (10_000, 0), (10_000, -5), (.nan, 5)] {
            pace.note(expected: expected, took: took)
        }
        #expect(pace == SpeedEstimate())
    }

    @Test func `an estimate is sent in thousandths, and is refused outside of its range`() throws {
        var pace = SpeedEstimate()
        for _ in 0..<9 { pace.note(expected: 10_000, took: 31_415) }
        #expect(try abs(SpeedEstimate(thousandths: pace.thousandths).factor - pace.factor) < 0.001)
        for thousandths in [0, 99, 20_001, .max] as [UInt32] {
            #expect(throws: WireError.self) { try SpeedEstimate(thousandths: thousandths) }
        }
    }
}
