import NotificationModel
import Primitives
import Synchronization

/// The distributor of the stages of a fetch to the traces of all its waiters. A trace that joins late records the
/// stages from then on.
final class TraceFanout: Sendable {
    private struct State {
        var open: StageName?
        var running: LiveTransferTiming?
        var restingHost: String?
        /// The first trace. Most fetches have only this trace, and need no dictionary.
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
            if let restingHost = state.restingHost { trace.noteResting(at: restingHost) }
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

    /// Records that the fetch ends because the circuit breaker of a host is open.
    func noteResting(at host: String) {
        state.withLock { state in
            state.restingHost = host
            state.tell { $0.noteResting(at: host) }
        }
    }

    /// The host whose open circuit breaker has ended the fetch; `nil` if there is no such host.
    var restingHost: String? { state.withLock { $0.restingHost } }

    /// The current stage; `nil` before the first stage.
    var stage: StageName? { state.withLock { $0.open } }
}

/// The distributor of the progress of a fetch to the waiters that asked for it. Few waiters ask for it, and progress is
/// frequent, so the check for listeners takes no lock.
final class ProgressFanout: Sendable {
    private let isWanted = Atomic<Bool>(false)
    private let listeners = Guarded<[ObjectIdentifier: FetchProgress]>([:])

    func join(_ listener: FetchProgress) {
        listeners.withLock { listeners in
            listeners[ObjectIdentifier(listener)] = listener
            isWanted.store(true, ordering: .relaxed)
        }
    }

    func leave(_ listener: FetchProgress) {
        listeners.withLock { listeners in
            listeners[ObjectIdentifier(listener)] = nil
            isWanted.store(!listeners.isEmpty, ordering: .relaxed)
        }
    }

    func tell(_ state: @autoclosure () -> FetchProgress.State) {
        guard isWanted.load(ordering: .relaxed) else { return }
        let state = state()
        for listener in listeners.withLock({ Array($0.values) }) { listener.tell(state) }
    }
}

/// The distributor of the files of a fetch to the waiters that read them while they arrive.
final class ArrivalFanout: Sendable {
    private struct WeakBody {
        weak var body: ArrivingMedia.Body?
    }

    private struct State {
        var bodies: [WeakBody] = []
        var listeners: [ObjectIdentifier: ArrivingMedia] = [:]
    }

    private let url: String
    private let state = Guarded(State())

    /// Creates a distributor without listeners.
    ///
    /// - Parameter url: the URL of the fetch.
    init(of url: String) { self.url = url }

    /// Adds a listener. The listener receives the existing files at once.
    func join(_ listener: ArrivingMedia) {
        state.withLock { state in
            for body in state.bodies.compactMap(\.body) { listener.begin(body) }
            state.listeners[ObjectIdentifier(listener)] = listener
        }
    }

    func leave(_ listener: ArrivingMedia) { state.withLock { $0.listeners[ObjectIdentifier(listener)] = nil } }

    /// Reports a new file to the listeners.
    ///
    /// - Parameter version: the version of the file at the origin; `nil` if it is unknown.
    func begin(_ file: MediaFile, of version: ArrivingMedia.Version?) {
        state.withLock { state in
            guard !state.listeners.isEmpty else { return }
            let body = ArrivingMedia.Body(file: file, url: url, identity: Identity.next(), version: version)
            state.bodies.append(WeakBody(body: body))
            for listener in state.listeners.values { listener.begin(body) }
        }
    }
}
