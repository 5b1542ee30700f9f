import NotificationModel

/// The slots of the media that are worked on at a time: the shell around `SlotLine`.
final class MediaSlots: Sendable {
    private struct State: ~Copyable {
        var line: SlotLine
        var waiters: [SlotLine.Ticket: CheckedContinuation<Bool, Never>] = [:]
        /// Left before they had begun to wait.
        var gone: Set<SlotLine.Ticket> = []
    }

    private let state: Guarded<State>

    init(count: Int) { state = Guarded(State(line: SlotLine(count: max(1, count)))) }

    /// Waits for a slot, which is to be given back.
    ///
    /// - Parameter elseWait: called when none is free.
    /// - Returns: whether there is one; not when the task was cancelled while it waited.
    func take(elseWait: () -> Void) async -> Bool {
        guard let ticket = state.withLock({ $0.line.take() }) else { return true }
        elseWait()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    if state.gone.remove(ticket) != nil { return false }
                    if state.line.isWaiting(ticket) {
                        state.waiters[ticket] = continuation
                        return nil
                    }
                    return true
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                guard state.line.leave(ticket) else { return nil }
                if let waiter = state.waiters.removeValue(forKey: ticket) { return waiter }
                state.gone.insert(ticket)
                return nil
            }
            waiter?.resume(returning: false)
        }
    }

    func give() {
        let waiter = state.withLock { state in
            state.line.give().flatMap { state.waiters.removeValue(forKey: $0) }
        }
        waiter?.resume(returning: true)
    }
}
