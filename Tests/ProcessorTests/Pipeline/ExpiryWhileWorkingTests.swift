import Base
import Foundation
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of messages that expire while their media are processed.
@Suite struct ExpiryWhileWorkingTests {
    private static let url = "https://a.example/1"

    /// - Parameter minutes: The time from the arrival to the expiry.
    private static func message(_ minutes: String) -> String {
        #"""
        {"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1},"appear2mee":{"id":"m","kind":"video",
         "urls":["\#(url)"],"fbText":"F","playTime":1800000000000,"expiry":\#(minutes)}}
        """#
    }

    private func run(
        _ payload: String, _ answer: FakeFetcher.Answer = .stalls, turning time: Duration,
        budget: Duration = .seconds(30), _ change: (inout NotificationRequest) -> Void = { _ in }
    ) throws -> (bench: PipelineBench, notification: ProcessedNotification?) {
        let bench = PipelineBench([Self.url: answer])
        let request = try bench.request(payload, budget: budget, change)
        _ = bench.start(request)
        bench.executor.turn()
        bench.turn(to: request.budget.received + time)
        return (bench, bench.emissions.first)
    }

    @Test func `the stages end before the message expires, at the start of the reserved time`() throws {
        #expect(try run(Self.message("0.03"), turning: .milliseconds(1_619)).notification == nil)
        let (bench, notification) = try run(Self.message("0.03"), turning: .milliseconds(1_620))
        let expired = try #require(notification)
        #expect(expired.outcome == .expired)
        #expect(expired.reason == .expired)
        #expect(expired.text == NotificationText(title: "T", body: "Sorry, opportunity missed!"))
        #expect(expired.actions.map(\.identifier) == ["dismiss", "play"])
        #expect(expired.reasons == [.expired])
        #expect(expired.timing.budget == .milliseconds(1_800))
        #expect(bench.isFinished)
    }

    @Test func `a message is rich if its media are ready before the expiry`() throws {
        let expired = try #require(try run(Self.message("0.03"), .ready, turning: .zero).notification)
        #expect(expired.outcome == .rich)
        #expect(expired.actions.map(\.identifier) == ["accept", "dismiss", "play"])
    }

    /// At the emission the message has expired, although its media item is ready by then.
    @Test func `media that become ready at the expiry are not shown`() throws {
        let gate = Gate()
        let bench = PipelineBench([Self.url: .hangs(gate)])
        _ = bench.start(try bench.request(Self.message("0.03")))
        bench.executor.turn()
        bench.clock.advance(by: .milliseconds(1_800))
        gate.open()
        bench.executor.turn()
        #expect(bench.emissions.map(\.outcome) == [.expired])
        #expect(bench.emissions.first?.attachments == [])
    }

    @Test func `a fallback result has the action accept if the budget ends before the message expires`() throws {
        let (_, notification) = try run(Self.message("10"), turning: .milliseconds(900), budget: .seconds(1))
        let fallback = try #require(notification)
        #expect(fallback.outcome == .fallback)
        #expect(fallback.reason == .budgetExceeded)
        #expect(fallback.text.body == "F")
        #expect(fallback.timing.budget == .seconds(1))
        #expect(fallback.actions.map(\.identifier) == ["accept", "dismiss", "play"])
    }

    @Test func `the expiry of the APNs header also ends the budget`() throws {
        let (_, notification) = try run(SamplePayloads.plain, turning: .seconds(2)) {
            $0.headers = ["apns-expiration": 1_800_000_002]
        }
        #expect(notification?.outcome == .expired)
        #expect(notification?.reasons == [.expired])
    }

    @Test func `a silent push that expires during its fetch has no text`() throws {
        let payload = Self.message("0.03").replacing(
            #""alert":{"title":"T","body":"B"},"mutable-content":1"#, with: #""content-available":1"#)
        let (_, notification) = try run(payload, turning: .milliseconds(1_800))
        #expect(notification?.outcome == .expired)
        #expect(notification?.text.isEmpty == true)
    }

    @Test func `a message that is cancelled before its expiry has the outcome cancelled`() throws {
        let bench = PipelineBench([Self.url: .stalls])
        let task = bench.start(try bench.request(Self.message("0.03")))
        bench.executor.turn()
        task.cancel()
        bench.executor.turn()
        #expect(bench.emissions.map(\.outcome) == [.cancelled])
        #expect(bench.emissions.first?.text.body == "F")
    }

    @Test(arguments: ["1e300", "1e18", "999999999999"])
    func `an expiry in the far future does not change the budget`(minutes: String) throws {
        let (_, notification) = try run(Self.message(minutes), turning: .milliseconds(29_750))
        #expect(notification?.outcome == .fallback)
        #expect(notification?.timing.budget == .seconds(30))
    }
}
