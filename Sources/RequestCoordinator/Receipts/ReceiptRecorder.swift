package import NotificationModel

/// The way of a receipt: requests that it makes needless are cancelled, the journal stores it, and the copies of the
/// messages show it.
package struct ReceiptRecorder: ReceiptIntake {
    private let coordinator: RequestCoordinator
    private let store: any ReceiptStoring
    private let copies: any ReceiptShowing
    private let metrics = ReceiptMetrics()

    package init(coordinator: RequestCoordinator, store: any ReceiptStoring, copies: any ReceiptShowing) {
        self.coordinator = coordinator
        self.store = store
        self.copies = copies
    }

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
