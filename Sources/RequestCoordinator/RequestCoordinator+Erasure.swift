package import NotificationModel
import Primitives

/// The erasure of remembered events and samples, and the cancellation of the requests without a result that an erasure or a receipt
/// concerns.
extension RequestCoordinator: Erasable {
    /// The coordinator has no files.
    package static var erasedPlaces: [String] { [] }

    package func erase(_ step: ErasureStep) async throws(MediaFailure) -> ErasureCounts {
        log.forget(step.keys)
        samples.erase(step)
        var counts = ErasureCounts()
        counts.cancelled = await cancel(where: step.concerns)
        return counts
    }
}

extension RequestCoordinator {
    /// The number of requests that are cancelled at the same time.
    private static let cancelledAtOnce = 64

    /// Cancels the requests without a result that a receipt concerns, and returns their number when their results are
    /// durable.
    func takeBack(_ receipt: Receipt) async -> Int { await cancel(where: receipt.concerns) }

    /// Cancels the requests without a result that meet a condition, and returns the number of those that are cancelled by
    /// now. The others were emitted in the meantime.
    private func cancel(where concerns: (any PlannedNotification) -> Bool) async -> Int {
        // The copy shares the memory of the dictionary, so that no other request waits for the search.
        let planned = state.withLock { $0.planned }
        var rest = planned.filter { concerns($0.value) }.map(\.key)[...]
        var count = 0
        while !rest.isEmpty {
            count += await withTaskGroup(of: CancelAnswer.self) { tasks in
                for key in rest.prefix(Self.cancelledAtOnce) { tasks.addTask { await self.cancel(key) } }
                return await tasks.reduce(0) { $0 + ($1 == .cancelled ? 1 : 0) }
            }
            rest = rest.dropFirst(Self.cancelledAtOnce)
        }
        return count
    }
}
