import Logging
import NotificationModel
import Primitives

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
