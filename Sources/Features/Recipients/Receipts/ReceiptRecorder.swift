import CoreMetrics
import HTTPAPI
package import NotificationModel
import RequestCoordinator

/// The way of a receipt: requests that it makes needless are cancelled, the journal stores it, and the copies of the
/// messages show it.
package struct ReceiptRecorder: ReceiptIntake {
    let coordinator: RequestCoordinator
    let store: any ReceiptStoring
    let copies: any ReceiptShowing
    let metrics = ReceiptMetrics()

    package func record(_ receipt: Receipt) async -> ReceiptAnswer {
        let answer = await answer(to: receipt)
        metrics.countAnswer(answer, to: receipt.event)
        return answer
    }

    private func answer(to receipt: Receipt) async -> ReceiptAnswer {
        let cancelled = receipt.event.takesBack ? await coordinator.takeBack(receipt) : 0
        guard let keys = await store.store(receipt) else { return .failed }
        guard !keys.isEmpty || cancelled > 0 else { return .unknown }
        if !keys.isEmpty { await copies.show(receipt, for: keys) }
        return .recorded(notifications: keys.count, cancelled: cancelled)
    }
}

/// The receipts that events of providers report, under all names of the recipient. An event of another person has no
/// effect.
struct ReportedReceipts: ReportedReceiptIntake {
    let receipts: any ReceiptIntake
    let recipients: any RecipientStoring

    func record(_ receipt: Receipt) async -> Bool {
        var receipt = receipt
        guard let name = receipt.recipients?.first else { return true }
        let names = await recipients.allNames(of: name, in: receipt.group)
        if let reporters = receipt.reporters, !reporters.isEmpty, !reporters.contains(where: names.contains) {
            return true
        }
        receipt.recipients = names
        return await receipts.record(receipt) != .failed
    }
}

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
