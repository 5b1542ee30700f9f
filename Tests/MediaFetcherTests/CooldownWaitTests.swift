import Base
import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests of requests that wait for the rest of a host. The rests use a manual clock.
@Suite(.timeLimit(.minutes(1))) struct CooldownWaitTests {
    private let clock = ManualClock()

    /// Makes the origin of a fixture rest, for 1.75 to 2.25 s.
    private func withCoolingHost(
        _ body: (_ fixture: OriginFixture, _ host: String) async throws -> Void
    ) async throws {
        let now: @Sendable () -> MonotonicInstant = { [clock] in clock.now }
        try await OriginFixture.with(now: now) { fixture in
            for number in 0..<5 { try await fixture.expect(.httpStatus, "/status/503/photo-small.jpg?\(number)") }
            let host = "127.0.0.1:\(fixture.origin.port)"
            #expect(fixture.fetcher.resting.hosts(at: clock.now).map(\.host) == [host])
            try await body(fixture, host)
        }
    }

    /// Starts a number of waiting requests, and returns the stream of their results.
    private func waits(
        _ count: Int, for host: String, _ fixture: OriginFixture, within time: Duration = .seconds(20),
        in group: inout TaskGroup<Void>
    ) -> AsyncStream<Bool> {
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        for _ in 0..<count {
            group.addTask {
                answer.yield(await fixture.fetcher.waitForCooldown(of: host, until: .now.advanced(by: time)))
            }
        }
        return answers
    }

    @Test func `1,024 requests wait for a resting host, and all continue when the rest ends`() async throws {
        try await withCoolingHost { fixture, host in
            await withTaskGroup(of: Void.self) { group in
                var answers = waits(1_025, for: host, fixture, in: &group).makeAsyncIterator()
                // The surplus request is refused at once, while the others wait.
                #expect(await answers.next() == false)
                clock.advance(by: .seconds(3))
                _ = try? await fixture.fetch("/photo-small.jpg").get()
                for _ in 0..<1_024 { #expect(await answers.next() == true) }
            }
            #expect(fixture.fetcher.resting.hosts(at: clock.now).isEmpty)
        }
    }

    @Test func `a request whose deadline is before the end of the rest does not wait`() async throws {
        try await withCoolingHost { fixture, host in
            #expect(await !fixture.fetcher.waitForCooldown(of: host, until: .now.advanced(by: .seconds(1))))
        }
    }

    @Test func `a failed test of a host refuses the requests whose deadline is before the next test`() async throws {
        try await withCoolingHost { fixture, host in
            await withTaskGroup(of: Void.self) { group in
                let fixture = fixture
                let (answers, answer) = AsyncStream.makeStream(of: (isEarly: Bool, goesOn: Bool).self)
                for number in 0..<1_025 {
                    group.addTask {
                        let time = number < 8 ? Duration.seconds(3) : .seconds(20)
                        let goesOn = await fixture.fetcher.waitForCooldown(of: host, until: .now.advanced(by: time))
                        answer.yield((number < 8, goesOn))
                    }
                }
                var iterator = answers.makeAsyncIterator()
                guard let surplus = await iterator.next() else { return }
                #expect(!surplus.goesOn, "one waiter is too many, and all others wait")
                clock.advance(by: .seconds(3))
                _ = try? await fixture.fetch("/status/503/photo-small.jpg?test")
                let early = surplus.isEarly ? 7 : 8
                for _ in 0..<early { #expect(await iterator.next().map { $0.isEarly && !$0.goesOn } == true) }
                clock.advance(by: .seconds(5))
                _ = try? await fixture.fetch("/photo-small.jpg").get()
                for _ in early..<1_024 { #expect(await iterator.next()?.goesOn == true) }
            }
        }
    }

    @Test func `a cancelled request does not wait for a resting host`() async throws {
        try await withCoolingHost { fixture, host in
            let wait = Task { await fixture.fetcher.waitForCooldown(of: host, until: .now.advanced(by: .seconds(20))) }
            wait.cancel()
            #expect(await wait.value == false)
        }
    }

    @Test func `the headers of the response to a test of a host end the rest before the body arrives`() async throws {
        try await withCoolingHost { fixture, host in
            clock.advance(by: .seconds(3))
            let test = Task { try await fixture.fetch("/stall/after/1000/photo-small.jpg") }
            await fixture.origin.waitUntil { $0.stallsReached == 1 }
            // The origin has sent the headers, and the fetcher may not have read them yet.
            #expect(await fixture.fetcher.waitForCooldown(of: host, until: .now.advanced(by: .seconds(20))))
            try await fixture.expect(nil, "/photo-small.jpg")
            test.cancel()
            _ = try await test.value
        }
    }

    @Test func `no host rests if the circuit breaker is turned off, and all waiting requests continue`() async throws {
        try await withCoolingHost { fixture, host in
            await withTaskGroup(of: Void.self) { group in
                var answers = waits(1_025, for: host, fixture, in: &group).makeAsyncIterator()
                #expect(await answers.next() == false)
                var policy = FetchPolicy()
                policy.addresses = AddressPolicy(allowed: [AddressRange("127.0.0.0/8")].compactMap(\.self))
                policy.limits.circuitBreaker = false
                fixture.fetcher.change(policy)
                for _ in 0..<1_024 { #expect(await answers.next() == true) }
            }
            for number in 5..<12 { try await fixture.expect(.httpStatus, "/status/503/photo-small.jpg?\(number)") }
            try await fixture.expect(nil, "/photo-small.jpg")
        }
    }

    @Test func `an origin of the laboratory does not rest`() async throws {
        let now: @Sendable () -> MonotonicInstant = { [clock] in clock.now }
        try await OriginFixture.with(now: now) { fixture in
            let origin = try await MisbehavingOrigin.start(serving: Fixtures.media, isLaboratory: true)
            for number in 0..<12 {
                try await fixture.expect(.httpStatus, url: origin.baseURL + "/status/503/photo-small.jpg?\(number)")
            }
            try await fixture.expect(nil, url: origin.baseURL + "/photo-small.jpg")
            await origin.stop()
        }
    }
}
