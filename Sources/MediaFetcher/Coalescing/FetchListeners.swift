import Base
import LinuxIO
import NotificationModel
import Synchronization

/// The listeners of a fetch: the traces of its waiters, and the receivers of its progress and of its files. A waiter
/// that joins late receives the current stage and the existing files, and then all further events.
final class FetchListeners: Sendable {
    private struct Listener {
        let trace: StageTrace
        let progress: FetchProgress?
        let arriving: ArrivingMedia?
    }

    private struct WeakBody {
        weak var body: ArrivingMedia.Body?
    }

    private struct State {
        var stage: StageName?
        var running: LiveTransferTiming?
        var restingHost: String?
        var bodies: [WeakBody] = []
        /// The first listener. Most fetches have only this listener, and need no dictionary.
        var first: Listener?
        var others: [ObjectIdentifier: Listener] = [:]

        func tell(_ body: (Listener) -> Void) {
            if let first { body(first) }
            if others.isEmpty { return }
            for listener in others.values { body(listener) }
        }
    }

    private let state = Guarded(State())
    /// Whether a listener receives the progress. Few do, and progress is frequent, so this check takes no lock.
    private let wantsProgress = Atomic<Bool>(false)

    /// Adds the listeners of a request.
    func join(_ request: FetchRequest) {
        let listener = Listener(trace: request.trace, progress: request.progress, arriving: request.arriving)
        state.withLock { state in
            if state.first == nil { state.first = listener } else { state.others[listener.trace.key] = listener }
            if let stage = state.stage { listener.trace.enter(stage) }
            if let running = state.running { listener.trace.begin(running) }
            if let restingHost = state.restingHost { listener.trace.noteResting(at: restingHost) }
            if let arriving = listener.arriving {
                for body in state.bodies.compactMap(\.body) { arriving.begin(body) }
            }
            if listener.progress != nil { wantsProgress.store(true, ordering: .relaxed) }
        }
    }

    /// Removes the listeners of a request, and ends its progress.
    func leave(_ request: FetchRequest) {
        state.withLock { state in
            if state.first?.trace === request.trace { state.first = nil } else { state.others[request.trace.key] = nil }
        }
        request.progress?.finish()
    }

    func enter(_ stage: StageName, at instant: MonotonicInstant = .now) {
        state.withLock { state in
            state.stage = stage
            state.tell { $0.trace.enter(stage, at: instant) }
        }
    }

    func begin(_ transfer: LiveTransferTiming) {
        state.withLock { state in
            state.running = transfer
            state.tell { $0.trace.begin(transfer) }
        }
    }

    func note(_ transfer: TransferTiming) {
        state.withLock { state in
            state.running = nil
            let first = state.first?.trace
            state.tell { $0.trace.note(transfer, ofOther: first != nil && $0.trace !== first) }
        }
    }

    /// Records that the fetch ends because the circuit breaker of a host is open.
    func noteResting(at host: String) {
        state.withLock { state in
            state.restingHost = host
            state.tell { $0.trace.noteResting(at: host) }
        }
    }

    /// Reports a new file to which the bytes of a response are written. The URL of the fetch is as its request has it.
    /// The group is the group whose credentials are used, and `nil` for the credentials of all groups. The version of the
    /// file at the origin is `nil` if it is unknown.
    func begin(
        _ file: MediaFile, of url: String, for group: AppGroupName?, _ version: ArrivingMedia.Version?
    ) {
        state.withLock { state in
            var body: ArrivingMedia.Body?
            state.tell { listener in
                guard let arriving = listener.arriving else { return }
                let shared =
                    body
                    ?? .init(
                        file: file, url: url, for: group, identity: Identity.next(), version: version)
                body = shared
                arriving.begin(shared)
            }
            if let body { state.bodies.append(WeakBody(body: body)) }
        }
    }

    func tell(_ progress: @autoclosure () -> FetchProgress.State) {
        guard wantsProgress.load(ordering: .relaxed) else { return }
        var receivers: [FetchProgress] = []
        state.withLock { state in state.tell { if let receiver = $0.progress { receivers.append(receiver) } } }
        let progress = progress()
        for receiver in receivers { receiver.tell(progress) }
    }

    /// The host whose open circuit breaker has ended the fetch; `nil` if there is no such host.
    var restingHost: String? { state.withLock { $0.restingHost } }

    /// The current stage; `nil` before the first stage.
    var stage: StageName? { state.withLock { $0.stage } }
}

extension StageTrace {
    fileprivate var key: ObjectIdentifier { ObjectIdentifier(self) }
}
