import Base
import FoundationEssentials
import NotificationModel
import Testing

/// The download of one media item, from which a test makes the result that a phone judges.
struct DownloadedNotification {
    var bytes = 100_000
    var time = Duration.seconds(1)
    var url = "https://media.example.net/a.jpg"
    var sourceType: String? = "image/jpeg"
    var failure: MediaFailure?
    var unError: UNErrorCode?
    var obstacle: String?
    var runsExtension = true
    /// Whether the daemon fetched the item; `false` if it had the item in its cache.
    var isFetched = true
    var payload = JSONObject()

    func result() throws -> ProcessedNotification {
        var transfer = TransferTiming(origin: "https://media.example.net")
        transfer.bodyBytes = bytes
        var verdict = Verdict(
            url: url, identifier: "media-1", failure: failure, unError: unError, sourceType: sourceType,
            stages: isFetched ? [Stage(name: .body, duration: time)] : [], transfers: isFetched ? [transfer] : [])
        verdict.phoneObstacle = obstacle
        return ProcessedNotification(
            id: try #require(RequestID("one")), appGroup: .default, profile: .ios, payload: PushPayload(),
            outcome: .fallback, reason: nil, text: NotificationText(), verdicts: [verdict],
            timing: .init(receivedAt: Date(timeIntervalSince1970: 0), budget: .seconds(30), elapsed: .seconds(1)),
            userInfo: payload,
            phone: PhoneView(
                wouldRunExtension: runsExtension,
                why: runsExtension ? nil : "/aps/mutable-content is missing: set it to the number 1"))
    }
}
