import Base
import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests of origins that ask for fewer requests during a cache warm-up. The batch slows down, and the fetcher does
/// not.
@Suite(.timeLimit(.minutes(1))) struct WarmingPaceTests {
    private let files = CountedFiles()

    private func fetch(_ path: String, _ fixture: OriginFixture) async -> MediaFailure? {
        let files = files
        var request = FetchRequest(
            url: fixture.origin.baseURL + path, deadline: .now + .seconds(20), trace: StageTrace(),
            makeFile: { () throws(MediaFailure) in try files.make() })
        request.rank = MediaRank.warming
        if case .failure(let failure) = await fixture.fetcher.fetch(request) { return failure }
        return nil
    }

    @Test(arguments: [429, 503])
    func `a response that requests a pause is not repeated, and does not count against the host`(
        _ status: Int
    ) async throws {
        try await OriginFixture.with { fixture in
            for number in 1...10 {
                let path = "/header/X-N:\(number)/retry-after/7/\(status)/photo-small.jpg"
                let failure = await fetch(path, fixture)
                #expect(failure?.reason == .httpStatus)
                #expect(failure?.retryAfter == .seconds(7))
                #expect(fixture.origin.counts.requests == number)
            }
            #expect(await fetch("/photo-small.jpg", fixture) == nil)
        }
    }

    @Test func `the pause after a 429 without Retry-After is zero, and a 404 causes no pause`() async throws {
        try await OriginFixture.with { fixture in
            #expect(await fetch("/status/429/photo-small.jpg", fixture)?.retryAfter == .zero)
            let missing = await fetch("/status/404/photo-small.jpg", fixture)
            #expect(missing?.reason == .httpStatus)
            #expect(missing?.retryAfter == nil)
        }
    }
}
