import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of the authorization that the recipient has given the app. The content has only the authorized parts.
@Suite(.timeLimit(.minutes(1))) struct AuthorizationTests {
    private static let loud = """
        {"aps":{"alert":{"title":"T","body":"B"},"badge":3,"sound":{"name":"s.aiff","critical":1},
         "interruption-level":"time-sensitive","mutable-content":1},"image":"https://a.example/1"}
        """

    private func result(
        _ payload: String = Self.loud, _ change: (inout NotificationRequest) -> Void
    ) async throws -> (notification: ProcessedNotification, bench: PipelineBench) {
        let bench = PipelineBench()
        return (try #require(try await bench.process(bench.request(payload, change)).first), bench)
    }

    @Test func `a recipient with all permissions gets badge, sound and level unchanged`() async throws {
        let aps = try await result { _ in }.notification.payload.aps
        #expect(aps.badge == 3)
        #expect(aps.sound?.name == "s.aiff")
        #expect(aps.interruptionLevel == .timeSensitive)
    }

    @Test func `a notification has no sound without the permission for sounds`() async throws {
        let notification = try await result { $0.permissions.sound = false }.notification
        #expect(notification.outcome == .rich)
        #expect(notification.payload.aps.sound == nil)
        #expect(notification.payload.aps.badge == 3)
    }

    @Test func `a notification has no badge without the permission for badges`() async throws {
        let notification = try await result { $0.permissions.badge = false }.notification
        #expect(notification.outcome == .rich)
        #expect(notification.payload.aps.badge == nil)
        #expect(notification.payload.aps.sound?.name == "s.aiff")
    }

    @Test func `a provisional authorization makes the notification passive and silent`() async throws {
        let notification = try await result { $0.permissions.provisional = true }.notification
        #expect(notification.outcome == .rich)
        #expect(notification.payload.aps.interruptionLevel == .passive)
        #expect(notification.payload.aps.sound == nil)
        #expect(notification.payload.aps.badge == 3)
        #expect(notification.text.body == "B")
    }

    @Test(arguments: [Self.loud, SamplePayloads.pair, SamplePayloads.expired])
    func `a notification has no text and no media without the permission for alerts`(payload: String) async throws {
        let (notification, bench) = try await result(payload) { $0.permissions.alert = false }
        #expect(notification.outcome == .passthrough)
        #expect(notification.reason == nil)
        #expect(notification.text.isEmpty)
        #expect(notification.actions == [])
        #expect(notification.attachments == [])
        #expect(!notification.verdicts.isEmpty)
        #expect(notification.reasons.allSatisfy { $0 == .downloadNotPermitted })
        #expect(bench.fetcher.calls.isEmpty)
    }

    @Test func `a notification has badge and sound without the permission for alerts`() async throws {
        let aps = try await result { $0.permissions.alert = false }.notification.payload.aps
        #expect(aps.badge == 3)
        #expect(aps.sound?.name == "s.aiff")
    }

    @Test func `a silent push prefetches its media without the permission for alerts`() async throws {
        let notification = try await result(SamplePayloads.silent) { $0.permissions.alert = false }.notification
        #expect(notification.outcome == .prefetched)
    }

    @Test(arguments: [SamplePayloads.pair, SamplePayloads.expired, "{}"])
    func `a result contains the recipient of its request`(payload: String) async throws {
        let notification = try await result(payload) { $0.recipient = "USR/ana" }.notification
        #expect(notification.recipient == "USR/ana")
        #expect(notification.json["recipient"] == "USR/ana")
        #expect(try await result(payload) { _ in }.notification.json["recipient"] == .null)
    }

    @Test func `a result contains the labels of its request in their order`() async throws {
        let notification = try await result { $0.labels = ["vip", "eu", "vip"] }.notification
        #expect(notification.json["labels"] == ["vip", "eu", "vip"])
        #expect(try await result { _ in }.notification.json["labels"] == [])
    }

    @Test func `a result of a rejected request contains the recipient of the request`() throws {
        let bench = PipelineBench()
        let request = try bench.request("{}") { $0.recipient = "USR/ana" }
        #expect(bench.reject(request, because: "x").recipient == "USR/ana")
    }
}
