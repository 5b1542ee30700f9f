import Base
import Lab
import LinuxIO
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// A fixture for one fetch that meets a fault, with a check for leaks.
///
/// The census is taken before the fetcher exists and after its shutdown, so that the idle connections of libcurl are
/// closed too.
struct FaultBench: Sendable {
    /// The delay that a busy machine may cause.
    static let tolerance: Duration = .milliseconds(500)

    var limits = FetchLimits()
    var policy = FetchPolicy()
    var resolver: (any NameResolving)?
    var budget: Duration = .seconds(20)

    /// Fetches a URL, and expects a reason within the budget and no leaks. The reason `nil` means a success.
    ///
    /// - Parameter url: a function that returns the URL for an origin.
    /// - Returns: the failure of the fetch; `nil` after a success.
    @discardableResult
    func expect(
        _ reason: DegradationReason?, at location: SourceLocation = #_sourceLocation,
        _ url: (MisbehavingOrigin) async throws -> String
    ) async throws -> MediaFailure? {
        let files = CountedFiles()
        let before = LeakCensus.take()
        let failure: MediaFailure? = try await OriginFixture.with(
            limits: limits, policy: policy, resolver: resolver
        ) { fixture in
            let url = try await url(fixture.origin)
            let start = MonotonicInstant.now
            let result = await fixture.fetch(url: url, into: files, within: budget)
            let elapsed = start.duration(to: .now)
            #expect(result.reason == reason, "\(result)", sourceLocation: location)
            // All faults except `budgetExceeded` must be found before the budget ends.
            let most = reason == .budgetExceeded ? budget + Self.tolerance : budget
            #expect(elapsed < most, sourceLocation: location)
            if case .failure(let failure) = result { return failure }
            return nil
        }
        await files.waitUntilClosed()
        // The threads of the origin close their descriptors when they end, which no event reports.
        try? await wait(for: "the end of the origin's threads") { LeakCensus.take().leaks(since: before) == [:] }
        let after = LeakCensus.take()
        #expect(after.leaks(since: before) == [:], sourceLocation: location)
        #expect(after.children == before.children, sourceLocation: location)
        return failure
    }
}
