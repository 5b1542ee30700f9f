import Base
import CoreMetrics
import NotificationModel

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
        "appgroupd_deadline_slack_seconds":
            "Time from the published result to the deadline; 0 if the result was late.",
        "appgroupd_notifications_emitted_total": "Results, by outcome and by reason.",
        "appgroupd_media_notifications_total":
            "Results of notifications with media that their receivers permit: rich, partial or fallback.",
        "appgroupd_media_notifications_rich_total":
            "Results of notifications with media that were rich and published by their deadline.",
        "appgroupd_stage_seconds": "Time of each stage of a media item, and of composing a result.",
        "appgroupd_media_fetched_total": "Attachments of results, by where their bytes came from (source.cache).",
        "appgroupd_media_source_bytes": "Sizes of the sources of attachments.",
        "appgroupd_media_rendition_bytes": "Sizes of the files of attachments.",
    ]

    /// The bounds of histograms that need others than the standard ones.
    package static let buckets: [String: [Double]] = [
        "appgroupd_deadline_slack_seconds": [
            0, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 300, 3_600,
        ],
        "appgroupd_stage_seconds": [0.000_1, 0.000_5, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30],
        "appgroupd_media_source_bytes": byteBuckets,
        "appgroupd_media_rendition_bytes": byteBuckets,
    ]

    private static let byteBuckets: [Double] = [
        10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000,
        50_000_000,
    ]

    /// The reasons that the recipient or the caller chose. Their results do not count as notifications with media.
    private static let chosenReasons: Set<DegradationReason> = [
        .cancelled, .expired, .serviceNotPermitted, .downloadNotPermitted, .wifiOnly, .otherProfile,
    ]

    private struct Ending: Hashable {
        let outcome: Outcome
        let reason: DegradationReason
    }

    private final class Endings: Sendable {
        let counters = Guarded<[Ending: Counter]>([:])
    }

    private let accepted = Counter(label: "appgroupd_requests_accepted_total")
    private let refused = Counter(label: "appgroupd_requests_refused_total")
    private let recovered = Counter(label: "appgroupd_requests_recovered_total")
    private let elapsed = Timer(label: "appgroupd_notification_seconds")
    private let lateness = Timer(label: "appgroupd_notification_late_seconds")
    private let slack = Timer(label: "appgroupd_deadline_slack_seconds")
    private let inFlight = Gauge(label: "appgroupd_requests_in_flight")
    private let withMedia = Counter(label: "appgroupd_media_notifications_total")
    private let rich = Counter(label: "appgroupd_media_notifications_rich_total")
    private let sourceBytes = Recorder(label: "appgroupd_media_source_bytes")
    private let renditionBytes = Recorder(label: "appgroupd_media_rendition_bytes")
    /// The counters of results without a reason. They exist from the start, for a rate from the first result.
    private let emitted = Dictionary(uniqueKeysWithValues: Outcome.allCases.map { ($0, Self.emittedCounter($0, nil)) })
    /// The counters of results with a reason. Few of all pairs occur, so a counter is created at its first result.
    private let endings = Endings()
    private let composition = Self.timer(of: "compose")
    private let stages = Dictionary(uniqueKeysWithValues: StageName.allCases.map { ($0, Self.timer(of: $0.rawValue)) })

    private let attached = Dictionary(
        uniqueKeysWithValues: CacheStatus.allCases.map { cache in
            (cache, Counter(label: "appgroupd_media_fetched_total", dimensions: [("cache", cache.rawValue)]))
        })

    func countAccepted() { accepted.increment() }
    func countRefused() { refused.increment() }
    func countRecovered() { recovered.increment() }
    func recordInFlight(_ count: Int) { inFlight.record(count) }

    /// Counts each attachment once, under the cache status that the result shows. Its bytes may be fetched or stored.
    func countComposed(_ attachments: [NotificationAttachment]) {
        for attachment in attachments {
            attached[attachment.cache]?.increment()
            sourceBytes.record(attachment.sourceByteCount)
            renditionBytes.record(attachment.asset.info.byteCount)
        }
    }

    /// Records the times of a result.
    ///
    /// - Parameter verdicts: The verdicts of the media items, with the time of each stage.
    /// - Parameter composition: The time from the decision to the JSON of the result.
    func recordStages(on verdicts: [Verdict], composition: Duration) {
        self.composition.recordNanoseconds(composition.nanoseconds)
        for verdict in verdicts {
            for stage in verdict.stages { stages[stage.name]?.recordNanoseconds(stage.duration.nanoseconds) }
        }
    }

    /// Counts a published result.
    ///
    /// - Parameter elapsed: The time from the acceptance to the result.
    /// - Parameter lateness: The time from the deadline to the result; negative if the result was in time.
    /// - Parameter reason: The reason of the result; `nil` if the result has no reason.
    func countEmitted(_ outcome: Outcome, _ reason: DegradationReason?, elapsed: Duration, lateness: Duration) {
        if let reason {
            counter(of: Ending(outcome: outcome, reason: reason)).increment()
        } else {
            emitted[outcome]?.increment()
        }
        let late = lateness.nanoseconds
        self.elapsed.recordNanoseconds(elapsed.nanoseconds)
        self.lateness.recordNanoseconds(max(0, late))
        slack.recordNanoseconds(max(0, -late))
        switch outcome {
        case .rich:
            withMedia.increment()
            if late <= 0 { rich.increment() }
        case .partial, .fallback:
            if reason.map({ !Self.chosenReasons.contains($0) }) ?? true { withMedia.increment() }
        case .expired, .cancelled, .passthrough, .prefetched, .rejected: break
        }
    }

    private func counter(of ending: Ending) -> Counter {
        endings.counters.withLock { counters in
            if let counter = counters[ending] { return counter }
            let counter = Self.emittedCounter(ending.outcome, ending.reason)
            counters[ending] = counter
            return counter
        }
    }

    private static func emittedCounter(_ outcome: Outcome, _ reason: DegradationReason?) -> Counter {
        Counter(
            label: "appgroupd_notifications_emitted_total",
            dimensions: [("outcome", outcome.rawValue), ("reason", reason?.rawValue ?? "none")])
    }

    private static func timer(of stage: String) -> Timer {
        Timer(label: "appgroupd_stage_seconds", dimensions: [("stage", stage)])
    }
}
