import FoundationEssentials
import JSON
import Lab
import NotificationModel
import Primitives
import Scenarios
import Testing

/// Tests of the simulated phone. docs/reference/compatibility.md has the sources of the limits.
struct PhoneModelTests {
    /// Returns the result for a push with one media item.
    private func notification(
        bytes: Int = 100_000, download: Duration = .seconds(1), sourceType: String? = "image/jpeg",
        failure: MediaFailure? = nil, unError: UNErrorCode? = nil, obstacle: String? = nil, runs: Bool? = true
    ) throws -> ProcessedNotification {
        var transfer = TransferTiming(origin: "https://media.example.net")
        transfer.bodyBytes = bytes
        var verdict = Verdict(
            url: "https://media.example.net/a.jpg", identifier: "media-1", failure: failure, unError: unError,
            sourceType: sourceType, stages: [Stage(name: .body, duration: download)], transfers: [transfer])
        verdict.phoneObstacle = obstacle
        return ProcessedNotification(
            id: try #require(RequestID("one")), appGroup: .default, profile: .ios, payload: PushPayload(),
            outcome: .fallback, reason: nil, text: NotificationText(), verdicts: [verdict],
            timing: .init(receivedAt: Date(timeIntervalSince1970: 0), budget: .seconds(30), elapsed: .seconds(1)),
            userInfo: JSONObject(), phone: PhoneView(wouldRunExtension: runs, why: "aps.mutable-content is not set"))
    }

    @Test func `a phone alone shows a picture that it downloads in time`() throws {
        let shown = PhoneModel().alone(try notification())
        #expect(shown.isMedia && shown.seconds == 1 && shown.sentence == "media after 1.0 s")
    }

    @Test(arguments: [28, 30, 31]) func `the extension is ended after thirty seconds`(seconds: Int) throws {
        let shown = PhoneModel().alone(try notification(download: .seconds(seconds)))
        #expect(shown.isMedia == (seconds <= 30))
        #expect(shown.seconds == Double(min(seconds, 30)))
    }

    @Test func `an extension that is ended early shows the text at that time`() throws {
        var model = PhoneModel()
        model.clock = .seconds(2)
        let shown = model.alone(try notification(download: .seconds(3)))
        #expect(!shown.isMedia && shown.seconds == 2)
    }

    @Test(arguments: [(12_000_000, false), (16_000_000, false), (24_000_000, true)])
    func `an extension that holds its download in memory needs room for it`(memory: Int, isShown: Bool) throws {
        var model = PhoneModel()
        (model.memory, model.holdsDownload) = (memory, true)
        #expect(model.alone(try notification(bytes: 12_000_000)).isMedia == isShown)
        model.holdsDownload = false
        #expect(model.alone(try notification(bytes: 12_000_000)).isMedia)
    }

    @Test func `an obstacle on the phone leaves the text, with its reason`() throws {
        var old = PhoneModel()
        old.version = 9
        var low = PhoneModel()
        low.isLowData = true
        var plain = PhoneModel()
        plain.allowsPlainHTTP = true
        let blocked = try notification(obstacle: "App Transport Security blocks plain http")
        let rows: [(PhoneModel, ProcessedNotification, String?)] = [
            (old, try notification(), "service extensions exist since iOS 10"),
            (low, try notification(), "Low Data Mode is on"),
            (PhoneModel(), try notification(runs: false), "aps.mutable-content is not set"),
            (PhoneModel(), blocked, "App Transport Security blocks plain http"), (plain, blocked, nil),
            (
                PhoneModel(), try notification(sourceType: "image/webp", unError: .attachmentUnrecognizedType),
                "UNError 101: image/webp"
            ),
            (
                PhoneModel(), try notification(sourceType: nil, failure: MediaFailure(.httpStatus, "status 404")),
                "http-status: status 404"
            ),
        ]
        for (model, notification, why) in rows {
            let shown = model.alone(notification)
            #expect(shown.why == why && shown.isMedia == (why == nil))
        }
    }
}
