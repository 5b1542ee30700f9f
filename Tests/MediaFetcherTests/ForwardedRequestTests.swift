import Base
import HTTPCaching
import HTTPTypes
import Lab
import LinuxIO
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// Tests of requests for other programs: their connections and their times.
@Suite(.timeLimit(.minutes(1))) struct ForwardedRequestTests {
    private static func forward(
        _ path: String, in fixture: OriginFixture, mayBeRepeated: Bool = false, within time: Duration? = nil
    ) async -> Result<Int, MediaFailure> {
        var request = OriginRequest(.get, fixture.origin.baseURL + path)
        request.mayBeRepeated = mayBeRepeated
        let result = await fixture.fetcher.forward(
            request, until: .now.advanced(by: .seconds(20)), within: time, largest: 1 << 20
        ) { () throws(MediaFailure) in
            do throws(SystemError) { return try AnonymousFile.createInMemory() } catch {
                throw MediaFailure(.storageFailed, "no file: \(error)")
            }
        }
        return result.map(\.head.status)
    }

    @Test func `a request that may be repeated uses a kept connection, and another one has its own`() async throws {
        try await OriginFixture.with { fixture in
            for _ in 0..<3 {
                #expect(await Self.forward("/photo-small.jpg", in: fixture, mayBeRepeated: true) == .success(200))
            }
            #expect(fixture.origin.counts.connectionsAccepted == 1)
            for _ in 0..<2 { #expect(await Self.forward("/photo-small.jpg", in: fixture) == .success(200)) }
            #expect(fixture.origin.counts.connectionsAccepted == 3)
        }
    }

    @Test func `the wait for a permit does not shorten the time of a request`() async throws {
        var limits = FetchLimits()
        (limits.connectionsPerHost, limits.stallThreshold, limits.hedgeAfter) = (1, .seconds(60), nil)
        try await OriginFixture.with(limits: limits) { fixture in
            async let slow = fixture.fetch("/delay/1s/photo-small.jpg")
            await fixture.origin.waitUntil { $0.requests >= 1 }
            let status = await Self.forward("/photo-small.jpg", in: fixture, within: .milliseconds(500))
            #expect(status == .success(200))
            _ = try await slow.get()
        }
    }

    @Test func `a request that takes longer than its time fails`() async throws {
        try await OriginFixture.with { fixture in
            let result = await Self.forward("/stall/headers/photo-small.jpg", in: fixture, within: .milliseconds(200))
            guard case .failure(let failure) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(failure.reason == .budgetExceeded)
        }
    }
}
