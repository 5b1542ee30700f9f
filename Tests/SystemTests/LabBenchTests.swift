import TestSupport
import Testing

/// Tests that each benchmark measures as many requests as its output says. `make bench` checks the time targets.
@Suite(.serialized, .timeLimit(.minutes(2))) struct LabBenchTests {
    @Test func `lab bench late measures all requests while photos are decoded`() async throws {
        let run = try await ProgramRun.appgroupd(
            "lab", "bench", "late", "--requests", "400", "--budget", "1s", "--target", "1m", "--fixtures",
            Fixtures.directory)
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.output.dropFirst().first?.hasPrefix("emitted: fallback 400; photos decoded meanwhile: ") == true)
    }

    @Test func `a directory without media ends the benchmark with one error line`() async throws {
        let run = try await ProgramRun.appgroupd(
            "lab", "bench", "cancel", "--requests", "4", "--fixtures", Fixtures.directory + "/none")
        #expect(run.status != 0 && run.status < 128 && run.errors.count == 1)
    }
}
