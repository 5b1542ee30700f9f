import Testing

@testable import MediaTranscoder

struct WorkPaceTests {
    @Test func `who knows nothing yet counts on a slower machine`() {
        #expect(WorkPace().expected(in: 1_875) == 1_000)
    }

    @Test(arguments: [0.25, 1, 4])
    func `it learns how long jobs take here`(factor: Double) {
        var pace = WorkPace()
        for _ in 0..<60 { pace.note(expected: 10_000, took: 10_000 * factor) }
        #expect(abs(pace.factor - factor) < 0.01)
        #expect(abs(pace.expected(in: 1_500) - 1_000 / factor) < 20)
    }

    @Test func `one job that was held up changes little, and none can make it useless`() {
        var pace = WorkPace()
        for _ in 0..<60 { pace.note(expected: 10_000, took: 10_000) }
        pace.note(expected: 10_000, took: 20_000)
        #expect(pace.factor < 1.25)
        for _ in 0..<1_000 { pace.note(expected: 1_000, took: 1e12) }
        #expect(pace.factor <= 20)
        for _ in 0..<1_000 { pace.note(expected: 1e12, took: 1) }
        #expect(pace.factor >= 0.1)
    }

    @Test func `what tells nothing is not learned from`() {
        var pace = WorkPace()
        for (expected, took) in [(999.0, 100_000.0), (0, 5), (-1, 5), (10_000, 0), (10_000, -5), (.nan, 5)] {
            pace.note(expected: expected, took: took)
        }
        #expect(pace == WorkPace())
    }

    /// A worker that had to be started first has less of the job's time than one that was there.
    @Test func `the time of a job is what is left of it when it comes`() {
        let pace = WorkPace()
        #expect(JobTime(until: 9_000, from: 4_000, at: pace).budget == pace.expected(in: 5_000))
        #expect(JobTime(until: 9_000, from: 9_001, at: pace).budget == 0)
        #expect(JobTime(until: nil, from: 4_000, at: pace).budget == nil)
    }
}
