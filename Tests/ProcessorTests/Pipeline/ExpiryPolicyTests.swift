import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of `onExpiry`, which determines the content if the budget ends before all media are ready.
@Suite struct ExpiryPolicyTests {
    private static let success = NotificationText(title: "Two", subtitle: "Sub", body: "Look")
    private static let fallback = NotificationText(title: "None", subtitle: "Sub", body: "Sorry")

    private func result(
        _ answers: [String: FakeFetcher.Answer], _ policy: ExpiryPolicy?, payload: String = SamplePayloads.pair
    ) throws -> ProcessedNotification {
        let bench = PipelineBench(answers)
        let request = try bench.request(payload) { $0.onExpiry = policy }
        _ = bench.start(request)
        bench.executor.turn()
        bench.turn(to: request.budget.stagesEnd)
        return try #require(bench.emissions.first)
    }

    @Test(
        arguments: [
            (nil, fallback), (.fallbackText, fallback), (.bestAttempt, success), (.original, success),
        ] as [(ExpiryPolicy?, NotificationText)])
    func `onExpiry determines the text if no media item is ready`(policy: ExpiryPolicy?, text: NotificationText)
        throws
    {
        let notification = try result(["https://a.example/1": .stalls, "https://a.example/2": .stalls], policy)
        #expect(notification.outcome == .fallback)
        #expect(notification.reason == .budgetExceeded)
        #expect(notification.text == text)
    }

    @Test(
        arguments: [
            (nil, .partial, [.budgetExceeded, nil]), (.fallbackText, .partial, [.budgetExceeded, nil]),
            (.bestAttempt, .partial, [.budgetExceeded, nil]),
            (.original, .fallback, [.budgetExceeded, .budgetExceeded]),
        ] as [(ExpiryPolicy?, Outcome, [DegradationReason?])])
    func `onExpiry decides whether the only ready media item is shown`(
        policy: ExpiryPolicy?, outcome: Outcome, reasons: [DegradationReason?]
    ) throws {
        let notification = try result(["https://a.example/1": .stalls], policy)
        #expect(notification.outcome == outcome)
        #expect(notification.text == Self.success)
        #expect(notification.reasons == reasons)
        #expect(notification.attachments.count == reasons.count { $0 == nil })
    }

    @Test(arguments: ExpiryPolicy.allCases)
    func `a media item that failed before the deadline keeps its own reason`(policy: ExpiryPolicy) throws {
        let notification = try result(
            ["https://a.example/1": .failure(MediaFailure(.tooLarge, "")), "https://a.example/2": .stalls], policy)
        #expect(notification.reasons == [.tooLarge, .budgetExceeded])
        #expect(notification.reason == .tooLarge)
    }

    @Test(arguments: ExpiryPolicy.allCases)
    func `every policy uses the fallback text after failures before the deadline`(policy: ExpiryPolicy) throws {
        let failure = FakeFetcher.Answer.failure(MediaFailure(.httpStatus, "404"))
        let notification = try result(["https://a.example/1": failure, "https://a.example/2": failure], policy)
        #expect(notification.text == Self.fallback)
        #expect(notification.outcome == .fallback)
    }

    @Test(arguments: ExpiryPolicy.allCases)
    func `a payload without a fallback text keeps its own text`(policy: ExpiryPolicy?) throws {
        let notification = try result(["https://a.example/1": .stalls], policy, payload: SamplePayloads.plain)
        #expect(notification.text == NotificationText(title: "One", body: "Look"))
        #expect(notification.outcome == .fallback)
    }

    /// A stage has the same deadline as the request, and may report the end of the budget before the request's timer.
    @Test(
        arguments: [
            (nil, fallback), (.fallbackText, fallback), (.bestAttempt, success), (.original, success),
        ] as [(ExpiryPolicy?, NotificationText)])
    func `the result does not depend on which task reports the end of the budget first`(
        policy: ExpiryPolicy?, text: NotificationText
    ) throws {
        for seed in 0..<20 as Range<UInt64> {
            let ended = MediaFailure(.budgetExceeded, "the budget ended while the body came")
            let gates = [Gate(), Gate()]
            let bench = PipelineBench([
                "https://a.example/1": .fails(ended, behind: gates[0]),
                "https://a.example/2": .fails(ended, behind: gates[1]),
            ])
            let request = try bench.request(SamplePayloads.pair) { $0.onExpiry = policy }
            _ = bench.start(request)
            bench.executor.turn()
            bench.clock.advance(by: bench.clock.now.duration(to: request.budget.stagesEnd))
            for gate in gates { gate.open() }
            var generator = SeededGenerator(seed: seed)
            while bench.executor.turnOne(using: &generator) {}
            let notification = try #require(bench.emissions.first)
            #expect(notification.text == text)
            #expect(notification.outcome == .fallback)
            #expect(notification.reasons == [.budgetExceeded, .budgetExceeded])
        }
    }

    @Test func `with onExpiry original, the result has the alert instead of the provider's text`() throws {
        let bench = PipelineBench(["https://a.example/1": .stalls])
        let request = try bench.request(
            """
            {"aps":{"alert":{"title":"A","body":"a"}},"com.urbanairship.media_attachment":{
             "url":"https://a.example/1","content":{"title":"Own","body":"own"}}}
            """, budget: .seconds(5)
        ) { $0.onExpiry = .original }
        _ = bench.start(request)
        bench.executor.turn()
        bench.turn(to: request.budget.stagesEnd)
        #expect(bench.emissions.first?.text == NotificationText(title: "A", body: "a"))
        #expect(bench.emissions.first?.outcome == .fallback)
    }
}
