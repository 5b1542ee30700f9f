/// A request to an origin while it runs: what it has come to, readable at any instant. Safe from any thread.
package final class LiveTransferTiming: Sendable {
    private struct State {
        var timing: TransferTiming
        var stage = StageName.connect
        var since: MonotonicInstant
    }

    private let state: Guarded<State>

    /// - Parameter timing: what is known before: where it goes to, and what its addresses took.
    package init(_ timing: TransferTiming, at instant: MonotonicInstant = .now) {
        state = Guarded(State(timing: timing, since: instant))
    }

    /// The request is on its way.
    ///
    /// - Parameter timing: with that of its connection.
    package func requested(over timing: TransferTiming, at instant: MonotonicInstant) {
        state.withLock { state in
            let isHedged = state.timing.isHedged
            state.timing = timing
            state.timing.isHedged = isHedged
            (state.stage, state.since) = (.wait, instant)
        }
    }

    /// A second connection is opened for the request.
    package func hedged() { state.withLock { $0.timing.isHedged = true } }

    /// The answer's head is there.
    ///
    /// - Parameter protocolName: as in `TransferTiming`.
    package func answered(_ status: Int, _ protocolName: String?, at instant: MonotonicInstant) {
        state.withLock { state in
            state.timing.wait = max(.zero, state.since.duration(to: instant))
            state.timing.status = status
            state.timing.protocolName = protocolName
            state.stage = .body
            state.since = instant
        }
    }

    /// How much of the body has come, over the wire and decoded.
    package func received(wireBytes: Int, bodyBytes: Int) {
        state.withLock { state in
            state.timing.wireBytes = wireBytes
            state.timing.bodyBytes = bodyBytes
        }
    }

    /// As if it ended at the instant.
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
