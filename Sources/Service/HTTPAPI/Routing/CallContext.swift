package import Authentication
package import Base
import HTTPTypes
package import NotificationModel

/// The state that the calls of a server share: its clock and its phase, and the room for large bodies and for streams.
///
/// A class, because each waiting request keeps a copy of the values that its handler captures.
package final class CallContext: Sendable {
    package let clock: any RequestClock
    /// The executor that parses large bodies and submits them.
    package let large: LargePayloadExecutor
    /// The memory for bodies of more than 256 KiB.
    package let bodies: BodyMemory
    /// The memory for the values of bodies that contain many values.
    package let values: BodyMemory
    /// The pace of calls with many lines.
    package let pace: LinePace
    package let eventSlots: StreamSlots
    /// The places of batches and of other streams of lines.
    package let lineSlots: StreamSlots
    /// The phase of the daemon. While it is starting, calls about requests are refused.
    package let phase: @Sendable () -> DaemonPhase
    /// An event that is signalled when the server begins to end.
    package let draining = AsyncEvent()

    package init(
        _ settings: HTTPServerSettings, clock: any RequestClock = SystemClock(),
        large: LargePayloadExecutor = LargePayloadExecutor(), bodies: ByteLimiter = ByteLimiter(limit: 64 << 20),
        values: ByteLimiter = ByteLimiter(limit: 32 << 20), phase: @escaping @Sendable () -> DaemonPhase = { .ready },
        lastSingleRequest: @escaping @Sendable () -> MonotonicInstant? = { nil }
    ) {
        (self.clock, self.large, self.phase) = (clock, large, phase)
        self.bodies = BodyMemory(limiter: bodies, clock: clock, patience: settings.memoryWait)
        self.values = BodyMemory(limiter: values, clock: clock, patience: settings.memoryWait)
        pace = LinePace(clock: clock, lastSingleRequest: lastSingleRequest)
        eventSlots = StreamSlots(most: settings.maxEventStreams)
        lineSlots = StreamSlots(most: settings.maxBatches)
    }

    package var isDraining: Bool { phase() == .draining || draining.isSignalled }

    /// Refuses a call that begins work while the daemon is ending.
    package func checkAccepting() throws(Problem) { if isDraining { throw .ending } }

    /// Refuses a request about requests while the daemon restores those of an earlier run.
    package func checkPhase(for route: Route) throws(Problem) {
        guard route.concernsRequests, phase() == .starting else { return }
        throw Problem(
            .starting, "The daemon is restoring the requests of an earlier run: try again in 1 s.",
            headers: [.retryAfter: "1"])
    }

    /// Takes a place of a long response in lines.
    ///
    /// - Parameter remedy: The end of the sentence that refuses the call.
    package func lineSlot(for caller: Caller, remedy: String = "") throws(Problem) -> StreamSlots.Slot {
        if let slot = lineSlots.take(by: caller) { return slot }
        throw Problem(
            .full, "All places for batches are in use. Try again in 5 s\(remedy).",
            members: ["most": .number(lineSlots.most)], headers: [.retryAfter: "5"])
    }
}

/// The phases in the life of the daemon.
package enum DaemonPhase: Sendable, Equatable {
    /// The daemon recovers the requests of an earlier daemon.
    case starting
    case ready
    /// The daemon accepts no more requests, and emits those that it has accepted.
    case draining
}

extension Problem {
    package static var ending: Problem { Problem(.closing, "The daemon is ending.", headers: [.retryAfter: "1"]) }
}
