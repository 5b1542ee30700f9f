import NotificationModel

/// The stages of a flight, told to the traces of all who wait for it. Who joins late sees the stages from then on.
final class FlightTrace: Sendable {
    private struct State {
        var open: StageName?
        var running: RunningTransfer?
        var followers: [ObjectIdentifier: StageTrace] = [:]
    }

    private let state = Guarded(State())

    func join(_ trace: StageTrace) {
        state.withLock { state in
            state.followers[ObjectIdentifier(trace)] = trace
            if let open = state.open { trace.enter(open) }
            if let running = state.running { trace.begin(running) }
        }
    }

    func leave(_ trace: StageTrace) {
        _ = state.withLock { $0.followers.removeValue(forKey: ObjectIdentifier(trace)) }
    }

    func enter(_ name: StageName, at instant: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.open = name
            for trace in state.followers.values { trace.enter(name, at: instant) }
        }
    }

    func begin(_ transfer: RunningTransfer) {
        state.withLock { state in
            state.running = transfer
            for trace in state.followers.values { trace.begin(transfer) }
        }
    }

    func note(_ transfer: TransferTiming) {
        state.withLock { state in
            state.running = nil
            for trace in state.followers.values { trace.note(transfer) }
        }
    }

    /// What is being done now.
    var stage: StageName? { state.withLock { $0.open } }
}
