package import Base

/// The stages of fetching and converting one media item.
package enum StageName: String, Sendable, CaseIterable {
    case queue
    case dns
    case connect
    case tls
    /// The time from the last byte of a request to the first byte of its response.
    case wait
    case body
    case inspect
    case transcode
    case decode
    case scale
    case encode
    case store

    /// The stages that a worker process runs.
    static let inWorkers: Set<StageName> = [.inspect, .transcode, .decode, .scale, .encode]
}

package struct Stage: Sendable, Equatable {
    package var name: StageName
    package var duration: Duration

    package init(name: StageName, duration: Duration) {
        self.name = name
        self.duration = duration
    }
}

/// A record of the time that one media item takes. The record has the durations of the item's stages, and the timings
/// of its transfers (requests to origins). The durations and timings can be read at any instant, because a deadline may
/// pass in the middle of a stage or a transfer.
///
/// A new stage ends the previous one. Any thread may use the trace.
package final class StageTrace: Sendable {
    private struct State {
        var ended: [Stage] = []
        var open: (name: StageName, since: MonotonicInstant)?
        var transfers: [TransferTiming] = []
        var running: LiveTransferTiming?
        var restingHost: String?
        var stillFailure: MediaFailure?

        mutating func endOpen(at instant: MonotonicInstant) {
            guard let open else { return }
            if ended.isEmpty { ended.reserveCapacity(8) }
            ended.append(Stage(name: open.name, duration: max(.zero, open.since.duration(to: instant))))
            self.open = nil
        }
    }

    private let state = Guarded(State())

    package init() {}

    /// Ends the open stage, if there is one, and opens another.
    package func enter(_ name: StageName, at instant: MonotonicInstant = .now) {
        state.withLock { state in
            state.endOpen(at: instant)
            state.open = (name, instant)
        }
    }

    /// Ends the open stage, and records it as several stages in their order. If the open stage took longer than these
    /// stages, the rest of its time is recorded after them, under its own name.
    package func split(into parts: [Stage], at instant: MonotonicInstant = .now) {
        state.withLock { state in
            guard let open = state.open else { return }
            state.open = nil
            let rest = parts.reduce(open.since.duration(to: instant)) { $0 - $1.duration }
            state.ended += parts
            if rest > .zero { state.ended.append(Stage(name: open.name, duration: rest)) }
        }
    }

    /// Ends the open stage, if there is one.
    package func leave(at instant: MonotonicInstant = .now) { state.withLock { $0.endOpen(at: instant) } }

    package func begin(_ transfer: LiveTransferTiming) { state.withLock { $0.running = transfer } }

    /// Records the end of a transfer.
    ///
    /// - Parameter isOfOther: Whether another request had begun the transfer.
    package func note(_ transfer: TransferTiming, ofOther isOfOther: Bool = false) {
        state.withLock { state in
            state.transfers.append(transfer)
            state.transfers[state.transfers.count - 1].isOfOther = isOfOther
            state.running = nil
        }
    }

    /// Records that a fetch ended because the circuit breaker of a host is open.
    ///
    /// - Parameter host: The host as `host:port`.
    package func noteResting(at host: String) { state.withLock { $0.restingHost = host } }

    /// Returns and clears the host whose open circuit breaker ended the last fetch; `nil` if there was no such host.
    package func takeCooldownHost() -> String? {
        state.withLock { state in
            defer { state.restingHost = nil }
            return state.restingHost
        }
    }

    /// The reason why the bytes of a download that failed or did not end in time are not shown as a still; `nil` if no still
    /// was tried, or if there is one.
    package var stillFailure: MediaFailure? {
        get { state.withLock { $0.stillFailure } }
        set { state.withLock { $0.stillFailure = newValue } }
    }

    /// The timings of the transfers that have ended, in the order of their ends.
    package var transfers: [TransferTiming] { state.withLock { $0.transfers } }

    /// Returns the timings of the transfers that have ended, and of the running one, as if it ended at the instant.
    ///
    /// - Parameter failure: The reason for which the result of the running transfer is not used.
    package func transfers(at instant: MonotonicInstant, failure: DegradationReason) -> [TransferTiming] {
        let (ended, running) = state.withLock { ($0.transfers, $0.running) }
        guard let running else { return ended }
        return ended + [running.timing(at: instant, failure: failure)]
    }

    /// Returns all stages so far. The open stage ends at the instant; its duration is zero if it was entered later.
    package func stages(at instant: MonotonicInstant = .now) -> [Stage] {
        state.withLock { state in
            guard let open = state.open else { return state.ended }
            return state.ended + [Stage(name: open.name, duration: max(.zero, open.since.duration(to: instant)))]
        }
    }
}
