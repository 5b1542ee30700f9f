package import NotificationModel
import Primitives

/// The erasure of requests without a result, which are cancelled, and of remembered events.
extension RequestCoordinator: Erasable {
    /// The coordinator has no files.
    package static var erasedPlaces: [String] { [] }

    /// The number of requests that are cancelled at the same time.
    private static let cancelledAtOnce = 64

    package func erase(_ step: ErasureStep) async throws(MediaFailure) -> ErasureCounts {
        log.forget(step.keys)
        // The copy shares the memory of the dictionary, so that no other request waits for the search.
        let planned = state.withLock { $0.planned }
        var rest = planned.filter { step.concerns($0.value) }.map(\.key)[...]
        var counts = ErasureCounts()
        while !rest.isEmpty {
            await withDiscardingTaskGroup { tasks in
                for key in rest.prefix(Self.cancelledAtOnce) { tasks.addTask { _ = await self.cancel(key) } }
            }
            counts.cancelled += min(rest.count, Self.cancelledAtOnce)
            rest = rest.dropFirst(Self.cancelledAtOnce)
        }
        return counts
    }
}
