import Base
package import FoundationEssentials
package import NotificationModel

/// The replay buffer of the last events, and the listeners that receive new events.
///
/// A listener that is too slow is disconnected. Its stream ends without a gap before the end, and the listener can
/// resume after the last id that it received.
package final class EventBroadcaster: Sendable {
    /// The number of last events after which a listener can resume.
    static let capacity = 1_024

    private struct State {
        /// The last events in order, with their ids. The events of erased requests are `nil`.
        var remembered: [(id: String, event: RequestEvent?)] = []
        var listeners: [UInt64: AsyncStream<RequestEvent>.Continuation] = [:]
        var lastListener: UInt64 = 0
        var isClosed = false
    }

    /// The start of this run, a prefix that distinguishes its ids from those of an earlier run.
    private let run: String
    private let state = Guarded(State())

    init(startedAt date: Date) { run = String(UInt64(max(0, date.timeIntervalSince1970 * 1_000)), radix: 36) }

    package func tell(
        _ kind: RequestEvent.Kind, _ key: RequestKey, recipient: String? = nil, labels: [String] = [],
        thread: String? = nil, at date: Date, elapsed: Duration
    ) {
        let late = state.withLock { state in
            let number = UInt64.random(in: 1 ... .max)
            let id = EventID(run: run, place: ListedNotification.place(of: date), number: number).description
            let event = RequestEvent(
                id: id, kind: kind, key: key, date: date, elapsed: elapsed, recipient: recipient,
                labels: labels, thread: thread)
            state.remembered.append((id, event))
            if state.remembered.count > 2 * Self.capacity { state.remembered.removeFirst(Self.capacity) }
            // The events are yielded under the lock to keep their order. Otherwise a resuming listener could miss one.
            var late: [AsyncStream<RequestEvent>.Continuation] = []
            for (number, listener) in state.listeners {
                guard case .dropped = listener.yield(event) else { continue }
                state.listeners[number] = nil
                late.append(listener)
            }
            return late
        }
        for listener in late { listener.finish() }
    }

    /// Forgets the events of requests. A listener can still resume after their ids.
    func forget(_ keys: Set<RequestKey>) {
        state.withLock { state in
            for (index, remembered) in state.remembered.enumerated() {
                if let event = remembered.event, keys.contains(event.key) { state.remembered[index].event = nil }
            }
        }
    }

    /// Returns the events that follow an event. Without the event among the last ``capacity``, only new events follow.
    func subscribe(after id: String?) -> EventSubscription {
        let (stream, continuation) = AsyncStream.makeStream(
            of: RequestEvent.self, bufferingPolicy: .bufferingOldest(2 * Self.capacity))
        let (isWhole, listener): (Bool, UInt64?) = state.withLock { state in
            var isWhole = id == nil
            let known = state.remembered.suffix(Self.capacity)
            if let id, let place = known.lastIndex(where: { $0.id == id }) {
                for (_, event) in known[(place + 1)...] { if let event { continuation.yield(event) } }
                isWhole = true
            }
            guard !state.isClosed else { return (isWhole, nil) }
            state.lastListener += 1
            state.listeners[state.lastListener] = continuation
            return (isWhole, state.lastListener)
        }
        let subscription = EventSubscription(events: stream, isWhole: isWhole)
        guard let listener else {
            continuation.finish()
            return subscription
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: listener) }
        }
        return subscription
    }

    func close() {
        let listeners = state.withLock { state in
            state.isClosed = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
