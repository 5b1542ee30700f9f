package import Base
package import FoundationEssentials
import NotificationModel

/// A clock that advances only when the test calls `advance`. No task sleeps in real time on it, and the actions of
/// alarms run within `advance`.
package final class ManualClock: RequestClock {
    fileprivate struct State {
        var now = MonotonicInstant.now
        var date: Date
        var sleepers: [(instant: MonotonicInstant, id: Int, wake: @Sendable () -> Void)] = []
        var lastID = 0
        var watchers: [(count: Int, wake: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Guarded<State>

    package init(date: Date = Date(timeIntervalSince1970: 1_800_000_000)) { state = Guarded(State(date: date)) }

    package var now: MonotonicInstant { state.withLock { $0.now } }
    package var date: Date { state.withLock { $0.date } }

    package func sleep(until instant: MonotonicInstant) async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isOver, watchers) = state.withLock { state in
                    if instant <= state.now || Task.isCancelled {
                        return (true, [CheckedContinuation<Void, Never>]())
                    }
                    state.sleepers.append((instant, id, { continuation.resume() }))
                    return (false, state.takeWatchers())
                }
                if isOver { continuation.resume() }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            remove(id)?()
        }
    }

    package func alarm(at instant: MonotonicInstant, _ action: @escaping @Sendable () -> Void) -> ClockAlarm {
        let (id, isOver, watchers) = state.withLock { state in
            state.lastID += 1
            let isOver = instant <= state.now
            if !isOver { state.sleepers.append((instant, state.lastID, action)) }
            return (state.lastID, isOver, state.takeWatchers())
        }
        if isOver { action() }
        for watcher in watchers { watcher.resume() }
        return ClockAlarm { [self] in _ = remove(id) }
    }

    /// Removes a sleeper and returns its action; `nil` if the action was called already.
    private func remove(_ id: Int) -> (@Sendable () -> Void)? {
        state.withLock { state in
            state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0).wake }
        }
    }

    /// Advances the clock, and wakes the sleepers that are due, the earliest first.
    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            state.date = state.date.addingTimeInterval(duration.seconds)
            let due = state.sleepers.filter { $0.instant <= state.now }.sorted { $0.instant < $1.instant }
            state.sleepers.removeAll { $0.instant <= state.now }
            return due
        }
        for sleeper in due { sleeper.wake() }
    }

    /// Waits until at least `count` tasks sleep.
    package func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}

extension ManualClock.State {
    fileprivate mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
        let count = sleepers.count
        defer { watchers.removeAll { $0.count <= count } }
        return watchers.filter { $0.count <= count }.map(\.wake)
    }
}
