import Testing
import TranscodeProtocol

@testable import MediaTranscoder

struct TimeAllowanceTests {
    /// A worker that had to be started first has less of the job's time than one that was there.
    @Test func `the time of a job is what is left of it when it comes`() {
        let pace = SpeedEstimate()
        #expect(TimeAllowance(until: 9_000, from: 4_000, at: pace).budget == pace.expected(in: 5_000))
        #expect(TimeAllowance(until: 9_000, from: 9_001, at: pace).budget == 0)
        #expect(TimeAllowance(until: nil, from: 4_000, at: pace).budget == nil)
    }
}
