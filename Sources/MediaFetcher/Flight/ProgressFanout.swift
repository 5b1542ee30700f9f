import NotificationModel
import Synchronization

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
