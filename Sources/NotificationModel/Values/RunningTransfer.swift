/// A request to an origin while it runs: what it has come to, readable at any instant. Safe from any thread.
package final class RunningTransfer: Sendable {
    private struct State {
        var timing: TransferTiming
        var stage = StageName.connect
        var since: MonotonicInstant
    }

    private let state: Guarded<State>

    /// - Parameters:
    ///   - origin: without credentials, path and query.
    ///   - dns: what its addresses took; `nil`: the URL has one.
    package init(to origin: String, dns: Duration?, at instant: MonotonicInstant = .now) {
        var timing = TransferTiming(origin: origin)
        timing.dns = dns
        state = Guarded(State(timing: timing, since: instant))
    }

    /// The request is on its way.
    ///
    /// - Parameter timing: of its connection, without origin and names.
    package func requested(over timing: TransferTiming, at instant: MonotonicInstant) {
        state.withLock { state in
            let (origin, dns) = (state.timing.origin, state.timing.dns)
            state.timing = timing
            state.timing.origin = origin
            state.timing.dns = dns
            (state.stage, state.since) = (.wait, instant)
        }
    }

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
