import CoreMetrics
import NotificationModel
import Primitives

/// The metrics of the coordinator, under the names that `/metrics` shows.
package struct CoordinatorMetrics: Sendable {
    /// The help texts of the metrics, by the name of the metric.
    package static let meanings = [
        "appgroupd_requests_accepted_total": "Requests that were made durable.",
        "appgroupd_requests_refused_total": "Requests that were refused because there was no room.",
        "appgroupd_requests_recovered_total": "Requests that an earlier daemon accepted and did not emit.",
        "appgroupd_requests_in_flight": "Requests that are accepted and not emitted.",
        "appgroupd_notification_seconds": "Time from the acceptance of a request to its published result.",
        "appgroupd_notification_late_seconds":
            "Time from the deadline to the published result; 0 if the result was in time.",
        "appgroupd_notifications_emitted_total": "Results, by outcome and by reason.",
        "appgroupd_media_fetched_total": "Attachments of results, by where their bytes came from (source.cache).",
    ]

    private let accepted = Counter(label: "appgroupd_requests_accepted_total")
    private let refused = Counter(label: "appgroupd_requests_refused_total")
    private let recovered = Counter(label: "appgroupd_requests_recovered_total")
    private let elapsed = Timer(label: "appgroupd_notification_seconds")
    private let lateness = Timer(label: "appgroupd_notification_late_seconds")
    private let inFlight = Gauge(label: "appgroupd_requests_in_flight")
    /// The counters of results without a reason. They exist from the start, for a rate from the first result.
    private let emitted = Dictionary(uniqueKeysWithValues: Outcome.allCases.map { ($0, Self.emittedCounter($0, nil)) })

    private let attached = Dictionary(
        uniqueKeysWithValues: CacheStatus.allCases.map { cache in
            (cache, Counter(label: "appgroupd_media_fetched_total", dimensions: [("cache", cache.rawValue)]))
        })

    func hasAccepted() { accepted.increment() }
    func hasRefused() { refused.increment() }
    func hasRecovered() { recovered.increment() }
    func isInFlight(_ count: Int) { inFlight.record(count) }

    /// Counts each attachment once, under the cache status that the result shows. Its bytes may be fetched or stored.
    func hasComposed(_ attachments: [NotificationAttachment]) {
        for attachment in attachments { attached[attachment.cache]?.increment() }
    }

    /// Counts a published result.
    ///
    /// - Parameter elapsed: The time from the acceptance to the result.
    /// - Parameter lateness: The time from the deadline to the result; negative if the result was in time.
    /// - Parameter reason: The reason of the result; `nil` if the result has no reason.
    func hasEmitted(_ outcome: Outcome, _ reason: DegradationReason?, elapsed: Duration, lateness: Duration) {
        if reason == nil {
            emitted[outcome]?.increment()
        } else {
            // Few pairs of outcome and reason occur, so each counter is created at its first result.
            Self.emittedCounter(outcome, reason).increment()
        }
        self.elapsed.recordNanoseconds(Int64(elapsed.milliseconds * 1e6))
        self.lateness.recordNanoseconds(Int64(max(0, lateness.milliseconds) * 1e6))
    }

    private static func emittedCounter(_ outcome: Outcome, _ reason: DegradationReason?) -> Counter {
        Counter(
            label: "appgroupd_notifications_emitted_total",
            dimensions: [("outcome", outcome.rawValue), ("reason", reason?.rawValue ?? "none")])
    }
}
