package import Primitives

/// The timing of a request to an origin while the request runs. Any thread may read it at any time.
package final class LiveTransferTiming: Sendable {
    private struct State {
        var timing: TransferTiming
        var stage = StageName.connect
        var since: MonotonicInstant
    }

    private let state: Guarded<State>

    /// Creates the timing of a request that begins at the instant.
    ///
    /// - Parameter timing: The origin of the request and the time of the name resolution.
    package init(_ timing: TransferTiming, at instant: MonotonicInstant = .now) {
        state = Guarded(State(timing: timing, since: instant))
    }

    /// Records that the request is sent.
    ///
    /// - Parameter timing: The timing so far, with that of the connection.
    package func requested(over timing: TransferTiming, at instant: MonotonicInstant) {
        state.withLock { state in
            let isHedged = state.timing.isHedged
            state.timing = timing
            state.timing.isHedged = isHedged
            (state.stage, state.since) = (.wait, instant)
        }
    }

    /// Records that a second connection is opened for the request.
    package func hedged() { state.withLock { $0.timing.isHedged = true } }

    /// Records that the response's headers have arrived.
    ///
    /// - Parameter protocolName: The protocol as in `TransferTiming`.
    package func answered(_ status: Int, _ protocolName: String?, at instant: MonotonicInstant) {
        state.withLock { state in
            state.timing.wait = max(.zero, state.since.duration(to: instant))
            state.timing.status = status
            state.timing.protocolName = protocolName
            state.stage = .body
            state.since = instant
        }
    }

    /// Records the number of bytes of the body that have arrived, as transferred and as decoded.
    package func received(wireBytes: Int, bodyBytes: Int) {
        state.withLock { state in
            state.timing.wireBytes = wireBytes
            state.timing.bodyBytes = bodyBytes
        }
    }

    /// Returns the timing as if the request ended at the instant.
    package func timing(at instant: MonotonicInstant, failure: DegradationReason) -> TransferTiming {
        let state = state.withLock { $0 }
        var timing = state.timing
        timing.failure = failure
        let lasted = max(.zero, state.since.duration(to: instant))
        switch state.stage {
        case .wait: timing.wait = lasted
        case .body: timing.body = lasted
        default: timing.connect = lasted
        }
        return timing
    }
}
