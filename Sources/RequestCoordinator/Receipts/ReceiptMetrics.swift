import CoreMetrics
import NotificationModel

/// The metrics of receipts, under the names that `/metrics` shows.
package struct ReceiptMetrics: Sendable {
    /// The help texts of the metrics, by the name of the metric.
    package static let meanings = [
        "appgroupd_receipts_total": "Receipts of devices, by event and by result: recorded, unknown or failed."
    ]

    private enum Result: String, CaseIterable { case recorded, unknown, failed }

    private struct Series: Hashable {
        let event: Receipt.Event
        let result: Result
    }

    private let counters: [Series: Counter] = Dictionary(
        uniqueKeysWithValues: Receipt.Event.allCases.flatMap { event in
            Result.allCases.map { result in
                let dimensions = [("event", event.rawValue), ("result", result.rawValue)]
                return (
                    Series(event: event, result: result),
                    Counter(label: "appgroupd_receipts_total", dimensions: dimensions)
                )
            }
        })

    func countAnswer(_ answer: ReceiptAnswer, to event: Receipt.Event) {
        let result: Result =
            switch answer {
            case .recorded: .recorded
            case .unknown: .unknown
            case .failed: .failed
            }
        counters[Series(event: event, result: result)]?.increment()
    }
}
