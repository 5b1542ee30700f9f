import FoundationEssentials
import NotificationModel

/// The last events, and those who listen for the next ones.
///
/// A listener that does not keep up loses its oldest events, never the newest; it can come back with the last id it saw.
final class EventLog: Sendable {
    /// Events that are remembered, and that a listener may be behind.
    static let capacity = 1_024

    private struct State {
        var lastNumber: UInt64 = 0
        var remembered: [RequestEvent] = []
        var listeners: [UInt64: AsyncStream<RequestEvent>.Continuation] = [:]
        var lastListener: UInt64 = 0
        var isClosed = false
    }

    /// Of this run, so that an earlier run's numbers are not taken for ours.
    private let run: String
    private let state = Guarded(State())

    init(startedAt date: Date) {
        run = String(UInt64(max(0, date.timeIntervalSince1970 * 1_000)), radix: 36)
    }

    func tell(_ kind: RequestEvent.Kind, _ key: RequestKey, at date: Date, elapsed: Duration) {
        let (event, listeners) = state.withLock { state in
            state.lastNumber += 1
            let event = RequestEvent(
                id: "\(run)-\(state.lastNumber)", kind: kind, key: key, date: date, elapsed: elapsed)
            state.remembered.append(event)
            if state.remembered.count > 2 * Self.capacity { state.remembered.removeFirst(Self.capacity) }
            return (event, Array(state.listeners.values))
        }
        for listener in listeners { listener.yield(event) }
    }

    /// What follows an event, or begins now where it is not remembered.
    func events(after id: String?) -> AsyncStream<RequestEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: RequestEvent.self, bufferingPolicy: .bufferingNewest(2 * Self.capacity))
        let listener: UInt64? = state.withLock { state in
            if let id, let seen = state.remembered.lastIndex(where: { $0.id == id }) {
                for event in state.remembered[(seen + 1)...] { continuation.yield(event) }
            }
            guard !state.isClosed else { return nil }
            state.lastListener += 1
            state.listeners[state.lastListener] = continuation
            return state.lastListener
        }
        guard let listener else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: listener) }
        }
        return stream
    }

    /// Ends all streams.
    func close() {
        let listeners = state.withLock { state in
            state.isClosed = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
