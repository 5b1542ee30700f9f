import CLinuxShims
import DequeModule
import Glibc
import NotificationModel
import Synchronization

/// What an event loop is to run, and how its thread is woken for it: what the loop has in common with those who hold only
/// this.
final class EventLoopInbox: Sendable {
    enum Work {
        /// Of an actor that lives on the loop.
        case job(UnownedJob)
        /// Of no actor.
        case task(UnownedJob)
        case closure(@Sendable () -> Void)

        /// Whether it runs only while the loop has nothing else to do.
        fileprivate var isBackground: Bool {
            switch self {
            case .job(let job), .task(let job): job.priority.rawValue < TaskPriority.medium.rawValue
            case .closure: false
            }
        }
    }

    private struct Inbox {
        /// In the order in which it came.
        var work: [Work] = []
        var isStopping = false
    }

    private static let mostSpare = 1_024

    /// Readable when somebody wakes the thread.
    let alarm: OwnedDescriptor
    private let inbox = Guarded(Inbox())
    /// The thread waits, or is about to: who brings work wakes it, and nobody else need.
    private let isWaiting = Atomic<Bool>(false)
    /// The thread's own number while it runs, 0 before and after: only the thread itself can find it equal to its own.
    private let running = Atomic<UInt>(0)

    // Touched on the loop's thread only.
    /// What the loop's own code enqueues: the loop is awake, so nobody has to be woken, and no lock is needed.
    nonisolated(unsafe) private var own: [Work] = []
    /// Room for more of it, which was used before.
    nonisolated(unsafe) private var spare: [Work] = []
    /// Jobs of tasks of a lower priority than usual.
    nonisolated(unsafe) private var background: Deque<Work> = []

    init() throws(SystemError) { alarm = try .adopt(agd_eventfd(), from: "eventfd") }

    // MARK: From any thread

    func put(_ work: Work) {
        if isCurrent { return unsafe own.append(work) }
        inbox.withLock { $0.work.append(work) }
        wake()
    }

    var isCurrent: Bool { running.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// - Returns: whether it is the first to say so.
    func stop() -> Bool {
        let isFirst = inbox.withLock { inbox in
            defer { inbox.isStopping = true }
            return !inbox.isStopping
        }
        if isFirst { wake() }
        return isFirst
    }

    /// Once for each wait: after that the thread is on its way to the inbox.
    private func wake() {
        guard isWaiting.exchange(false, ordering: .sequentiallyConsistent) else { return }
        var one: UInt64 = 1
        // The counter cannot overflow: the loop reads it down. Nothing else makes this write fail.
        _ = unsafe write(alarm.raw, &one, MemoryLayout<UInt64>.size)
    }

    // MARK: On the loop

    func threadBegins() { running.store(UInt(pthread_self()), ordering: .relaxed) }

    func threadEnds() { running.store(0, ordering: .relaxed) }

    /// Runs the work of other threads, then the work that it has enqueued on this thread, and so on for a number of
    /// turns. If no other work is left, one background job runs: new work waits for one background job at most.
    ///
    /// - Parameter turns: the most turns for work that was enqueued on this thread.
    /// - Returns: whether the loop goes on.
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
            work.removeAll(keepingCapacity: work.capacity <= Self.mostSpare)
            unsafe spare = work
        }
        if !hasUrgentWork, let job = unsafe background.popFirst() { body(job) }
        return !batch.isStopping || hasWork
    }

    private func runOrDefer(_ work: Work, _ body: (Work) -> Void) {
        if work.isBackground { unsafe background.append(work) } else { body(work) }
    }

    /// - Returns: whether there is nothing to wait for.
    func beginWaiting() -> Bool {
        isWaiting.store(true, ordering: .sequentiallyConsistent)
        // Looked at after that: what comes from here on wakes.
        return hasWork || inbox.withLock { $0.isStopping }
    }

    func endWaiting() { isWaiting.store(false, ordering: .sequentiallyConsistent) }

    func silenceAlarm() {
        var count: UInt64 = 0
        _ = unsafe read(alarm.raw, &count, MemoryLayout<UInt64>.size)
    }

    private var hasWork: Bool { unsafe !background.isEmpty || hasUrgentWork }

    private var hasUrgentWork: Bool {
        guard unsafe own.isEmpty else { return true }
        return inbox.withLock { !$0.work.isEmpty }
    }
}
