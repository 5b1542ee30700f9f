import Base
import Lab
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

/// The tests of names whose failure the resolver has cached.
@Suite(.timeLimit(.minutes(1))) struct RememberedNamesTests {
    /// A resolver that fails for each name, and caches the failure.
    private final class FailingNames: NameResolving {
        private struct State {
            var asked: [MonotonicInstant] = []
            var answered: MonotonicInstant?
        }

        private let memory: Duration
        private let state = Guarded(State())

        init(rememberedFor memory: Duration) { self.memory = memory }

        /// The times at which a name server was asked.
        var asked: [MonotonicInstant] { state.withLock { $0.asked } }

        func resolve(_ host: String) async throws(MediaFailure) -> ResolvedHost {
            let now = MonotonicInstant.now
            state.withLock { state in
                if let last = state.answered, now < last + memory { return }
                state.asked.append(now)
                state.answered = now
            }
            throw .noSuchName
        }

        func rememberedFailure(of host: String) async -> RememberedFailure? {
            let now = MonotonicInstant.now
            return state.withLock { state in
                guard let answered = state.answered, now < answered + memory else { return nil }
                return RememberedFailure(age: answered.duration(to: now), cooldown: now.duration(to: answered + memory))
            }
        }
    }

    @Test func `a name that does not exist is resolved once, and the fetch fails at once`() async throws {
        let names = FailingNames(rememberedFor: .seconds(5))
        try await OriginFixture.with(resolver: names) { fixture in
            let start = MonotonicInstant.now
            try await fixture.expect(.dnsFailed, url: "http://nowhere.test:\(fixture.origin.port)/photo-small.jpg")
            #expect(start.duration(to: .now) < FaultBench.tolerance)
        }
        #expect(names.asked.count == 1)
    }

    @Test func `a name is resolved again after its cached failure has expired`() async throws {
        let names = FailingNames(rememberedFor: .milliseconds(250))
        try await OriginFixture.with(resolver: names) { fixture in
            try await fixture.expect(.dnsFailed, url: "http://nowhere.test:\(fixture.origin.port)/photo-small.jpg")
        }
        let asked = names.asked
        #expect(asked.count == RetryPolicy.maxAttempts)
        #expect(zip(asked, asked.dropFirst()).allSatisfy { $0.duration(to: $1) >= .milliseconds(250) })
    }

    @Test func `the circuit breaker does not count a cached failure of a name`() async throws {
        let names = FailingNames(rememberedFor: .seconds(60))
        try await OriginFixture.with(resolver: names) { fixture in
            for number in 0..<2 * CircuitBreaker.failuresToOpen {
                let url = "http://nowhere.test:\(fixture.origin.port)/photo-small.jpg?\(number)"
                try await fixture.expect(.dnsFailed, url: url)
            }
        }
        #expect(names.asked.count == 1)
    }
}
