import Testing
import TranscodeProtocol

@testable import MediaTranscoder

struct TimeAllowanceTests {
    /// A worker that had to be started has less time for the job than one that was running.
    @Test func `a job has only the time that is left when it arrives`() {
        let pace = SpeedEstimate()
        #expect(TimeAllowance(until: 9_000, from: 4_000, at: pace).budget == pace.expected(in: 5_000))
        #expect(TimeAllowance(until: 9_000, from: 9_001, at: pace).budget == 0)
        #expect(TimeAllowance(until: nil, from: 4_000, at: pace).budget == nil)
    }
}
