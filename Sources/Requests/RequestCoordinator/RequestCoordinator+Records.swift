import Base
import Logging
package import NotificationModel

/// The records of requests that are accepted and emitted by one transaction of the journal. The caller has its result
/// before the index has the message.
extension RequestCoordinator {
    /// Records the message of an emitted request, if the index is to have it. The call returns at once, and the message
    /// is recorded by `run`. If too many messages wait for the index, or if the coordinator ends, the call itself waits.
    func recordEmitted(_ request: InFlightRequest) async {
        guard request.planned.isRecorded else { return }
        // The sender may send its next request while the message waits.
        var emitted = InFlightRequest(
            planned: request.planned, channel: request.channel, byteCount: request.byteCount, lease: nil)
        emitted.isEmitted = true
        let isQueued = state.withLock { [emitted] state in
            guard state.unrecorded < limits.records else { return false }
            guard case .enqueued = ready.continuation.yield(emitted) else { return false }
            state.unrecorded += 1
            return true
        }
        if !isQueued { await record(emitted) }
    }

    /// Records the message of a request that `recordEmitted` has queued.
    func recordQueued(_ request: InFlightRequest) async {
        await record(request)
        state.withLock { $0.unrecorded -= 1 }
    }

    private func record(_ request: InFlightRequest) async {
        do throws(MediaFailure) { try await request.planned.record() } catch {
            logger.error("emitted, but not in the index: \(error.detail)", metadata: request.metadata)
        }
    }
}

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
    package func takeBack(_ receipt: Receipt) async -> Int { await cancel(where: receipt.concerns) }

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
