import NotificationModel
import Synchronization

/// The stages of a flight, told to the traces of all who wait for it. A trace that joins late has the stages from then on.
final class TraceFanout: Sendable {
    private struct State {
        var open: StageName?
        var running: LiveTransferTiming?
        var restingHost: String?
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
            if let restingHost = state.restingHost { trace.rests(at: restingHost) }
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

    /// The flight ends because a host rests.
    func rests(at host: String) {
        state.withLock { state in
            state.restingHost = host
            state.tell { $0.rests(at: host) }
        }
    }

    /// The host because of whose rest the flight ends.
    var restingHost: String? { state.withLock { $0.restingHost } }

    /// The stage that is open now.
    var stage: StageName? { state.withLock { $0.open } }
}

/// How far a flight's bytes have come, told to those of its followers who want to know. Most do not, and bytes come often.
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

/// The files of a flight's download, given to those of its followers who want them.
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

    /// - Parameter url: the URL that the flight fetches.
    init(of url: String) { self.url = url }

    /// A follower who joins late gets the files that there are.
    func join(_ listener: ArrivingMedia) {
        state.withLock { state in
            for body in state.bodies.compactMap(\.body) { listener.begin(body) }
            state.listeners[ObjectIdentifier(listener)] = listener
        }
    }

    func leave(_ listener: ArrivingMedia) { state.withLock { $0.listeners[ObjectIdentifier(listener)] = nil } }

    /// - Parameter version: of the file at the origin; `nil`: nothing tells it.
    func begin(_ file: MediaFile, of version: ArrivingMedia.Version?) {
        state.withLock { state in
            guard !state.listeners.isEmpty else { return }
            let body = ArrivingMedia.Body(file: file, url: url, identity: Identity.next(), version: version)
            state.bodies.append(WeakBody(body: body))
            for listener in state.listeners.values { listener.begin(body) }
        }
    }
}
