import TestSupport
import Testing

/// Each bench measures as many requests as it says. The targets are those of `make bench`.
@Suite(.serialized, .timeLimit(.minutes(2))) struct LabBenchTests {
    @Test func `late measures all requests, and decodes meanwhile`() async throws {
        let run = try await ProgramRun.appgroupd(
            "lab", "bench", "late", "--requests", "400", "--budget", "1s", "--target", "1m", "--fixtures",
            Fixtures.directory)
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.output.dropFirst().first?.hasPrefix("emitted: fallback 400; photos decoded meanwhile: ") == true)
    }

    @Test func `a folder without media ends the bench with one line`() async throws {
        let run = try await ProgramRun.appgroupd(
            "lab", "bench", "cancel", "--requests", "4", "--fixtures", Fixtures.directory + "/none")
        #expect(run.status != 0 && run.status < 128 && run.errors.count == 1)
    }
}
