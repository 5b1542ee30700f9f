import Lab
import LinuxIO
import MediaFetcher
import NameResolution
import NotificationModel
import TestSupport
import Testing

/// One fetch that meets a fault, and what is left of it afterwards.
///
/// The census is taken before the fetcher and after it, so that what libcurl keeps for later is gone too.
struct FaultBench: Sendable {
    /// What a busy machine may be late.
    static let tolerance: Duration = .milliseconds(500)

    var limits = FetchLimits()
    var policy = FetchPolicy()
    var resolver: (any NameResolving)?
    var budget: Duration = .seconds(20)

    /// Expects a reason (`nil`: success) from a URL, within the budget, and nothing left behind.
    ///
    /// - Parameter url: may depend on the origin's port.
    /// - Returns: what the fetch found out.
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
            // A fault that is not one of time has not used the budget up.
            let most = reason == .budgetExceeded ? budget + Self.tolerance : budget
            #expect(elapsed < most, sourceLocation: location)
            if case .failure(let failure) = result { return failure }
            return nil
        }
        await files.waitUntilClosed()
        // The origin's threads close what they have when they end, which nobody is told.
        try? await wait(for: "the end of the origin's threads") { LeakCensus.take().leaks(since: before) == [:] }
        let after = LeakCensus.take()
        #expect(after.leaks(since: before) == [:], sourceLocation: location)
        #expect(after.children == before.children, sourceLocation: location)
        return failure
    }
}
