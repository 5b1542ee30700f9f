import Base
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests of headers with many short lines. The time of libcurl's search grows with the square of the number of
/// lines, and `HTTPFields` traps over 65,535 fields.
@Suite(.timeLimit(.minutes(1))) struct CrowdedHeadTests {
    private let files = CountedFiles()

    @Test(arguments: [1_001, 40_000, 70_000])
    func `headers with too many lines are refused at once`(_ count: Int) async throws {
        let lines = [String](repeating: "a:", count: count)
        let origin = try ScriptedOrigin([ScriptedOrigin.answer("200 OK", lines + ["Content-Length: 1"], [1])])
        defer { origin.stop() }
        try await OriginFixture.with { fixture in
            let start = MonotonicInstant.now
            let result = await fixture.fetch(url: origin.url, into: files)
            #expect(result.reason == .tooLarge, "\(result)")
            #expect(start.duration(to: .now) < .seconds(5))
            await files.waitUntilClosed()
        }
    }

    @Test func `headers with many lines are accepted`() async throws {
        let lines = (0..<900).map { "X-\($0): 1" }
        let origin = try ScriptedOrigin([ScriptedOrigin.answer("200 OK", lines + ["Content-Length: 3"], [1, 2, 3])])
        defer { origin.stop() }
        try await OriginFixture.with { fixture in
            let media = try await fixture.fetch(url: origin.url, into: files).get()
            #expect(try media.bytes == [1, 2, 3])
        }
    }
}
