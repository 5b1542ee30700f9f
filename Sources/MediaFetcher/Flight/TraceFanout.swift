import NotificationModel

/// The stages of a flight, told to the traces of all who wait for it. Who joins late sees the stages from then on.
final class TraceFanout: Sendable {
    private struct State {
        var open: StageName?
        var running: LiveTransferTiming?
        /// Mostly the only one.
        var first: StageTrace?
        var others: [ObjectIdentifier: StageTrace] = [:]

        func tell(_ body: (StageTrace) -> Void) {
            if let first { body(first) }
            if others.isEmpty { return }
            for trace in others.values { body(trace) }
        }
    }

    private let state = Guarded(State())

    func join(_ trace: StageTrace) {
        state.withLock { state in
            if state.first == nil { state.first = trace } else { state.others[ObjectIdentifier(trace)] = trace }
            if let open = state.open { trace.enter(open) }
            if let running = state.running { trace.begin(running) }
        }
    }

    func leave(_ trace: StageTrace) {
        state.withLock { state in
            if state.first === trace { state.first = nil } else { state.others[ObjectIdentifier(trace)] = nil }
        }
    }

    func enter(_ name: StageName, at instant: MonotonicInstant = .now) {
        state.withLock { state in
            state.open = name
            state.tell { $0.enter(name, at: instant) }
        }
    }

    func begin(_ transfer: LiveTransferTiming) {
        state.withLock { state in
            state.running = transfer
            state.tell { $0.begin(transfer) }
        }
    }

    func note(_ transfer: TransferTiming) {
        state.withLock { state in
            state.running = nil
            state.tell { $0.note(transfer) }
        }
    }

    /// What is being done now.
    var stage: StageName? { state.withLock { $0.open } }
}
