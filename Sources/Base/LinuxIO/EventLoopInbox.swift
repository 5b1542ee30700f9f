import Base
import CLinuxShims
import DequeModule
import Glibc
import Synchronization

/// The work of an event loop, and the descriptor that wakes its thread. The loop and its executors share this object.
final class EventLoopInbox: Sendable {
    enum Work {
        /// A job of an actor on the loop.
        case job(UnownedJob)
        /// A job of a task that belongs to no actor.
        case task(UnownedJob)
        case closure(@Sendable () -> Void)

        /// Whether the work runs only while the loop has no other work.
        fileprivate var isBackground: Bool {
            switch self {
            case .job(let job), .task(let job): job.priority.rawValue < TaskPriority.medium.rawValue
            case .closure: false
            }
        }
    }

    private struct Inbox {
        /// The work in the order in which it was enqueued.
        var work: [Work] = []
        var isStopping = false
        /// The instant at which the thread ends its wait if no other thread wakes it; `nil` if there is no such instant.
        var waitEnd: MonotonicInstant?
    }

    private static let maxSpare = 1_024
    /// The number of pieces of work in the inbox after which the thread is woken in any case. It bounds their memory.
    private static let maxUnread = 256

    /// A descriptor that is readable after another thread has woken the loop.
    let alarm: OwnedDescriptor
    private let inbox = Guarded(Inbox())
    /// Whether the thread waits or is about to wait. Only the caller that clears the flag wakes the thread.
    private let isWaiting = Atomic<Bool>(false)
    /// The identity of the loop's thread, which only that thread can find here; 0 while it does not run.
    private let running = Atomic<UInt>(0)

    // The following fields are accessed on the loop's thread only.
    /// The work that code on the loop enqueues. The loop is awake, so no wake-up and no lock is needed.
    nonisolated(unsafe) private var own: [Work] = []
    /// An empty array whose memory is used again for `own`.
    nonisolated(unsafe) private var spare: [Work] = []
    /// The jobs of tasks with a priority below medium.
    nonisolated(unsafe) private var background: Deque<Work> = []

    init() throws(SystemError) { alarm = try .adopt(agd_eventfd(), from: "eventfd") }

    // MARK: Calls from any thread

    func put(_ work: Work) {
        if isCurrent { return unsafe own.append(work) }
        inbox.withLock { $0.work.append(work) }
        wake()
    }

    /// Enqueues work that may run at any time before an instant. The thread is woken only if it would wait longer.
    func put(_ work: Work, before instant: MonotonicInstant) {
        if isCurrent { return unsafe own.append(work) }
        let mustWake = inbox.withLock { inbox in
            inbox.work.append(work)
            guard let end = inbox.waitEnd else { return true }
            return end > instant || inbox.work.count >= Self.maxUnread
        }
        if mustWake { wake() }
    }

    /// The instant at which the thread ends its wait; `nil` if only other threads end it.
    var waitEnd: MonotonicInstant? { inbox.withLock(\.waitEnd) }

    var isCurrent: Bool { running.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Marks the loop as stopping, and returns whether this is the first call.
    func stop() -> Bool {
        let isFirst = inbox.withLock { inbox in
            defer { inbox.isStopping = true }
            return !inbox.isStopping
        }
        if isFirst { wake() }
        return isFirst
    }

    /// Wakes the thread once for each wait. The thread reads the inbox after each wake-up.
    private func wake() {
        guard isWaiting.exchange(false, ordering: .sequentiallyConsistent) else { return }
        var one: UInt64 = 1
        // The counter cannot overflow, because the loop resets it. The write cannot fail for another reason.
        _ = unsafe write(alarm.raw, &one, MemoryLayout<UInt64>.size)
    }

    // MARK: Calls on the loop

    func threadBegins() { running.store(UInt(pthread_self()), ordering: .relaxed) }

    func threadEnds() {
        running.store(0, ordering: .relaxed)
        inbox.withLock { $0.waitEnd = nil }
    }

    /// Runs the work of other threads, then at most `turns` rounds of the work that was enqueued on this thread.
    /// Returns whether the loop continues.
    ///
    /// If no other work is left, one background job runs. New work waits for one background job at most.
    func run(turns: Int, _ body: (Work) -> Void) -> Bool {
        let batch = inbox.withLock { inbox in
            defer { inbox.work = [] }
            return inbox
        }
        for piece in batch.work { runOrDefer(piece, body) }
        for _ in 0..<turns {
            guard unsafe !own.isEmpty else { break }
            var work = unsafe spare
            unsafe spare = []
            unsafe swap(&own, &work)
            for piece in work { runOrDefer(piece, body) }
            work.removeAll(keepingCapacity: work.capacity <= Self.maxSpare)
            unsafe spare = work
        }
        if !hasUrgentWork, let job = unsafe background.popFirst() { body(job) }
        return unsafe !batch.isStopping || !background.isEmpty || hasUrgentWork
    }

    private func runOrDefer(_ work: Work, _ body: (Work) -> Void) {
        if work.isBackground { unsafe background.append(work) } else { body(work) }
    }

    /// Marks the thread as waiting until the next timer; `nil` if there is no timer. Returns whether the thread must
    /// not wait, because there is work or the loop is stopping.
    func beginWaiting(until end: MonotonicInstant?) -> Bool {
        isWaiting.store(true, ordering: .sequentiallyConsistent)
        // This check comes after the store, so work that arrives later wakes the thread.
        let mustRun = inbox.withLock { inbox in
            inbox.waitEnd = end
            return inbox.isStopping || !inbox.work.isEmpty
        }
        return unsafe mustRun || !own.isEmpty || !background.isEmpty
    }

    func endWaiting() { isWaiting.store(false, ordering: .sequentiallyConsistent) }

    func silenceAlarm() {
        var count: UInt64 = 0
        _ = unsafe read(alarm.raw, &count, MemoryLayout<UInt64>.size)
    }

    private var hasUrgentWork: Bool {
        guard unsafe own.isEmpty else { return true }
        return inbox.withLock { !$0.work.isEmpty }
    }
}
