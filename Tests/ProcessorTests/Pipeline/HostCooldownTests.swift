import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of media whose host rests when they are requested.
@Suite(.timeLimit(.minutes(1))) struct HostCooldownTests {
    private static let url = "https://a.example/1"
    private static let payload = #"{"aps":{"alert":"B"},"media":[{"url":"https://a.example/1"}]}"#
    private static let other = #"{"aps":{"alert":"B"},"media":[{"url":"https://b.example/1"}]}"#
    private static let resting = MediaFailure(.hostResting, "the host rests")

    @Test func `a request waits for a host that rests, and its media are shown after the rest`() async throws {
        let gate = Gate()
        let bench = PipelineBench([Self.url: .restingOnce(Self.resting)], resting: gate)
        let request = bench.start(try bench.request(Self.payload))
        bench.executor.turn()
        #expect(bench.fetcher.hostsWaitedFor == ["a.example:443"])
        #expect(bench.emissions.isEmpty)
        #expect(bench.transcoder.reserved == 0, "nothing is reserved while it waits")
        bench.executor.letGo()
        gate.open()
        let notification = try #require(try await request.value.first)
        #expect(notification.outcome == .rich)
        #expect(bench.fetcher.calls.count == 2)
        #expect(bench.transcoder.calls.map(\.source.isPart) == [false])
    }

    @Test func `a request that waits for a host releases its permit to other media`() async throws {
        let gate = Gate()
        let bench = PipelineBench([Self.url: .restingOnce(Self.resting)], resting: gate, mediaInFlight: 1)
        let waiting = bench.start(try bench.request(Self.payload))
        bench.executor.turn()
        let other = bench.start(try bench.request(Self.other))
        bench.executor.turn()
        #expect(bench.emissions.map(\.outcome) == [.rich])
        bench.executor.letGo()
        gate.open()
        _ = try await other.value
        _ = try await waiting.value
        #expect(bench.emissions.map(\.outcome) == [.rich, .rich])
    }

    @Test(arguments: [DegradationReason.hostResting, .httpStatus])
    func `the received bytes are shown with the reason of the fetch if the host rests beyond the deadline`(
        _ reason: DegradationReason
    ) async throws {
        let bench = PipelineBench([Self.url: .restingOnce(MediaFailure(reason, "it failed"))])
        let notification = try #require(try await bench.process(bench.request(Self.payload)).first)
        #expect(notification.outcome == .partial && notification.reason == reason)
        #expect(bench.fetcher.calls.count == 1)
        #expect(bench.transcoder.reserved == 0)
    }

    @Test func `the received bytes are shown if a request waits for a host until the deadline`() async throws {
        let gate = Gate()
        let bench = PipelineBench([Self.url: .restingOnce(Self.resting)], resting: gate)
        let wanted = try bench.request(Self.payload, budget: .seconds(10))
        let request = bench.start(wanted)
        bench.executor.turn()
        bench.turn(to: wanted.budget.stagesEnd - .milliseconds(999))
        #expect(bench.transcoder.calls.map(\.source.isPart) == [true])
        bench.turn(to: wanted.budget.stagesEnd)
        bench.executor.letGo()
        gate.open()
        let notification = try #require(try await request.value.first)
        #expect(notification.outcome == .partial && notification.reason == .budgetExceeded)
    }

    @Test func `a warming request does not wait for a resting host`() async throws {
        let gate = Gate()
        gate.open()
        let bench = PipelineBench([Self.url: .restingOnce(Self.resting)], resting: gate)
        let warmed = await bench.warm(try bench.request(Self.payload))
        #expect(warmed.map(\.failure?.reason) == [.hostResting])
        #expect(bench.fetcher.hostsWaitedFor.isEmpty)
    }
}
