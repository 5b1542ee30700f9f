import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of requests that have a result without a fetch.
@Suite(.timeLimit(.minutes(1))) struct SettledTests {
    private func result(
        _ payload: String, _ change: (inout NotificationRequest) -> Void = { _ in }
    ) async throws -> ProcessedNotification {
        let bench = PipelineBench()
        let request = try bench.request(payload, change)
        let emissions = try await bench.process(request)
        #expect(emissions.count == 1)
        #expect(await !bench.waitsForMedia(request), "it needs a permit")
        #expect(bench.fetcher.calls.isEmpty, "no byte is fetched")
        #expect(bench.store.records.flatMap(\.attachments).isEmpty)
        #expect(emissions.first?.attachments == [])
        return try #require(emissions.first)
    }

    @Test(arguments: [
        #"{}"#, #"{"hello":"world"}"#, #"{"apz":{"alert":"x"}}"#, #"{"aps":7,"image":"https://a.example/1"}"#,
    ])
    func `a payload that no dialect recognises is emitted unchanged`(payload: String) async throws {
        let notification = try await result(payload)
        #expect(notification.outcome == .passthrough)
        #expect(notification.reason == nil)
        #expect(notification.payload.dialect == nil)
        #expect(notification.payload.detectedBy == nil)
        #expect(notification.verdicts == [])
        #expect(notification.userInfo == (try JSONParser.value(of: payload).object))
    }

    @Test func `a payload without media is emitted with its text`() async throws {
        let notification = try await result(#"{"aps":{"alert":{"title":"T","body":"B"}}}"#)
        #expect(notification.outcome == .passthrough)
        #expect(notification.text == NotificationText(title: "T", body: "B"))
        #expect(notification.payload.dialect == "apns")
    }

    @Test func `an expired message has the default text and does not have the action accept`() async throws {
        let notification = try await result(SamplePayloads.expired)
        #expect(notification.outcome == .expired)
        #expect(notification.reason == .expired)
        #expect(notification.text == NotificationText(title: "One", body: "Sorry, opportunity missed!"))
        #expect(notification.actions.map(\.identifier) == ["dismiss", "play"])
        #expect(notification.payload.details["labels"] == ["dismiss": "Dismiss", "play": "Play"])
        #expect(notification.verdicts.map(\.url) == ["https://a.example/1"])
        #expect(notification.reasons == [.expired])
    }

    @Test func `an expired silent push has no text`() async throws {
        let notification = try await result(
            """
            {"aps":{"content-available":1},"appear2mee":{"id":"m","stage":"prefetch","urls":["https://a.example/1"],
             "fbText":"Sorry","playTime":1000000000000,"expiry":5}}
            """)
        #expect(notification.outcome == .expired)
        #expect(notification.text.isEmpty)
    }

    @Test func `a message before its expiry has the action accept`() async throws {
        let bench = PipelineBench()
        let payload = SamplePayloads.expired.replacing("1000000000000", with: "4102444800000")
        let notification = try #require(try await bench.process(bench.request(payload)).first)
        #expect(notification.outcome == .rich)
        #expect(notification.actions.first == NotificationAction(identifier: "accept", title: "Play"))
    }

    @Test(arguments: [SamplePayloads.pair, SamplePayloads.expired, SamplePayloads.silent])
    func `a request is rejected without permission for the service`(payload: String) async throws {
        let notification = try await result(payload) { $0.permissions.service = false }
        #expect(notification.outcome == .rejected)
        #expect(notification.reason == .serviceNotPermitted)
        #expect(notification.actions == [])
        #expect(!notification.verdicts.isEmpty)
        #expect(notification.reasons.allSatisfy { $0 == .serviceNotPermitted })
    }

    @Test func `the result has the fallback text without permission for downloads`() async throws {
        let notification = try await result(SamplePayloads.pair) { $0.permissions.download = false }
        #expect(notification.outcome == .fallback)
        #expect(notification.reason == .downloadNotPermitted)
        #expect(notification.text.body == "Sorry")
        #expect(notification.reasons == [.downloadNotPermitted, .downloadNotPermitted])
    }

    @Test func `the fallback text is shown over a cellular network with permission for only Wi-Fi`() async throws {
        let notification = try await result(SamplePayloads.pair) {
            $0.permissions.wifiOnly = true
            $0.network = .cellular
        }
        #expect(notification.outcome == .fallback)
        #expect(notification.reason == .wifiOnly)
        #expect(notification.text.body == "Sorry")
        #expect(notification.reasons == [.wifiOnly, .wifiOnly])
    }

    @Test(
        arguments: [
            (.wifi, .cellular, .rich), (.wifi, .wifi, .rich), (.cellular, .wifi, .fallback), (nil, .wifi, .rich),
            (nil, .cellular, .fallback),
        ] as [(NetworkKind?, NetworkKind, Outcome)])
    func `an unknown network counts as the configured network with permission for only Wi-Fi`(
        network: NetworkKind?, unknown: NetworkKind, outcome: Outcome
    ) async throws {
        let bench = PipelineBench()
        let request = try bench.request(SamplePayloads.pair) {
            $0.permissions.wifiOnly = true
            $0.permissions.unknownNetwork = unknown
            $0.network = network
        }
        #expect(try await bench.process(request).map(\.outcome) == [outcome])
        #expect(bench.fetcher.calls.count == (outcome == .rich ? 2 : 0))
    }

    @Test func `an unusable envelope is rejected with the problem and the payload's text`() throws {
        let bench = PipelineBench()
        let request = try bench.request(SamplePayloads.pair)
        let notification = bench.reject(request, because: "budget: is a number")
        #expect(notification.outcome == .rejected)
        #expect(notification.reason == .invalidPayload)
        #expect(notification.problem == "budget: is a number")
        #expect(notification.text.title == "Two")
        #expect(notification.payload.dialect == "native")
        #expect(notification.id == request.id)
    }
}
