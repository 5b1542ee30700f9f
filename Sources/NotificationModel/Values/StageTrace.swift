/// The steps that one medium goes through.
package enum StageName: String, Sendable {
    case queue
    case dns
    case connect
    case tls
    /// From the request's last byte to the answer's first.
    case wait
    case body
    case inspect
    case transcode
    case decode
    case scale
    case encode
    case store
}

package struct Stage: Sendable, Equatable {
    package var name: StageName
    package var duration: Duration

    package init(name: StageName, duration: Duration) {
        self.name = name
        self.duration = duration
    }
}

/// Where the time of one medium goes, readable at any instant: the deadline may come in the middle of a stage.
///
/// Stages follow each other without gaps: entering one ends the one before. Safe from any thread.
package final class StageTrace: Sendable {
    private struct State {
        var ended: [Stage] = []
        var open: (name: StageName, since: MonotonicInstant)?
        var transfers: [TransferTiming] = []
        var running: LiveTransferTiming?

        mutating func endOpen(at instant: MonotonicInstant) {
            guard let open else { return }
            if ended.isEmpty { ended.reserveCapacity(8) }
            ended.append(Stage(name: open.name, duration: max(.zero, open.since.duration(to: instant))))
            self.open = nil
        }
    }

    private let state = Guarded(State())

    package init() {}

    package func enter(_ name: StageName, at instant: MonotonicInstant = .now) {
        state.withLock { state in
            state.endOpen(at: instant)
            state.open = (name, instant)
        }
    }

    /// Ends the open stage in known parts, in order; what is left over keeps the stage's own name.
    package func split(into parts: [Stage], at instant: MonotonicInstant = .now) {
        state.withLock { state in
            guard let open = state.open else { return }
            state.open = nil
            let rest = parts.reduce(open.since.duration(to: instant)) { $0 - $1.duration }
            state.ended += parts
            if rest > .zero { state.ended.append(Stage(name: open.name, duration: rest)) }
        }
    }

    package func leave(at instant: MonotonicInstant = .now) {
        state.withLock { $0.endOpen(at: instant) }
    }

    /// A request to an origin has begun.
    package func begin(_ transfer: LiveTransferTiming) {
        state.withLock { $0.running = transfer }
    }

    /// The request to an origin has ended.
    package func note(_ transfer: TransferTiming) {
        state.withLock { state in
            state.transfers.append(transfer)
            state.running = nil
        }
    }

    /// The requests to origins that have ended, in the order of their ends.
    package var transfers: [TransferTiming] { state.withLock { $0.transfers } }

    /// The same, and last the one that runs, as if it ended at the instant.
    ///
    /// - Parameter failure: why that one is of no use any more.
    package func transfers(at instant: MonotonicInstant, failure: DegradationReason) -> [TransferTiming] {
        let (ended, running) = state.withLock { ($0.transfers, $0.running) }
        guard let running else { return ended }
        return ended + [running.timing(at: instant, failure: failure)]
    }

    /// All stages so far, the open one as long as it has lasted: no time when it was entered after the instant.
    package func stages(at instant: MonotonicInstant = .now) -> [Stage] {
        state.withLock { state in
            guard let open = state.open else { return state.ended }
            return state.ended + [Stage(name: open.name, duration: max(.zero, open.since.duration(to: instant)))]
        }
    }
}
