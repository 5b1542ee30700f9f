import Testing
import TranscodeProtocol

@testable import MediaTranscoder

struct TimeAllowanceTests {
    /// A worker that had to be started has less time for the job than a worker that was already running.
    @Test func `the time for a job is the time that is left at its arrival`() {
        let pace = SpeedEstimate()
        #expect(TimeAllowance(until: 9_000, from: 4_000, at: pace).budget == pace.expected(in: 5_000))
        #expect(TimeAllowance(until: 9_000, from: 9_001, at: pace).budget == 0)
        #expect(TimeAllowance(until: nil, from: 4_000, at: pace).budget == nil)
    }
}
