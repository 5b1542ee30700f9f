import CLinuxShims
import Glibc
import NotificationModel
import Synchronization

/// One owned thread that waits in epoll, and runs the jobs of the actors that live on it.
///
/// An actor that returns this as its executor has all its state on one thread, beside the descriptors it watches: C
/// libraries that want one thread get one, the compiler checks that nobody else touches the state, and the cooperative
/// pool never blocks. `watch` and `schedule` are for code on the loop; `enqueue` and `execute` come from anywhere.
///
/// A task that mostly waits for such actors is to prefer `tasks` as its executor: without that, what resumes it sends it
/// to a thread of the pool, only to find out there that it has to go on here.
///
/// The owner calls `shutdown`, last of all: jobs that are enqueued later do not run.
package final class EventLoop: SerialExecutor {
    package typealias Handler = (DescriptorEvents) -> Void

    package typealias TimerID = LoopTimers.ID

    enum Work {
        /// Of an actor that lives here.
        case job(UnownedJob)
        /// Of no actor.
        case task(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    private struct Inbox {
        /// In the order in which it came.
        var work: [Work] = []
        var isStopping = false
    }

    /// For tasks that prefer this thread.
    package let tasks = LoopTaskExecutor()
    private let inbox = Guarded(Inbox())
    private let epoll: OwnedDescriptor
    private let alarm: OwnedDescriptor
    private let thread = Guarded<pthread_t?>(nil)
    /// The thread waits, or is about to: who brings work wakes it, and nobody else need.
    private let isWaiting = Atomic<Bool>(false)
    /// The thread's own number while it runs, 0 before and after: only the thread itself can find it equal to its own.
    private let running = Atomic<UInt>(0)

    // Touched on the loop's thread only.
    /// What the loop's own code enqueues: the loop is awake, so nobody has to be woken, and no lock is needed.
    nonisolated(unsafe) private var own: [Work] = []
    /// Room for more of it, which was used before.
    nonisolated(unsafe) private var spare: [Work] = []
    nonisolated(unsafe) private var handlers: [Int32: Handler] = [:]
    /// Numbers that were unwatched since the last wait: what that wait still has to say of them is about a descriptor
    /// that may be closed, and its number another's.
    nonisolated(unsafe) private var outdated: Set<Int32> = []
    nonisolated(unsafe) private var timers = LoopTimers()

    /// - Parameter name: of the thread, at most 15 bytes.
    package static func start(name: String) throws(SystemError) -> EventLoop {
        let loop = try EventLoop()
        try loop.startThread(name: name)
        return loop
    }

    private init() throws(SystemError) {
        epoll = try .adopt(agd_epoll_create(), from: "epoll_create1")
        alarm = try .adopt(agd_eventfd(), from: "eventfd")
        guard agd_epoll_control(epoll.raw, agd_epoll_add, alarm.raw, agd_epoll_in) == 0 else {
            throw .last("epoll_ctl")
        }
        unsafe tasks.loop = self
    }

    /// Runs what is enqueued, then ends the thread and joins it. Not from the loop itself.
    package func shutdown() {
        let isFirst = inbox.withLock { inbox in
            defer { inbox.isStopping = true }
            return !inbox.isStopping
        }
        guard isFirst, let thread = thread.withLock({ $0 }) else { return }
        wake()
        pthread_join(thread, nil)
    }

    // MARK: From any thread

    package func enqueue(_ job: consuming ExecutorJob) { put(.job(UnownedJob(job))) }

    /// Runs a closure on the loop, in the order of the calls of one thread.
    package func execute(_ closure: @escaping @Sendable () -> Void) { put(.closure(closure)) }

    func put(_ work: Work) {
        if isCurrent { return unsafe own.append(work) }
        inbox.withLock { $0.work.append(work) }
        wake()
    }

    package func checkIsolated() { precondition(isCurrent, "called outside of the loop's thread") }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    private var isCurrent: Bool { running.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Once for each wait: after that the thread is on its way to the inbox.
    private func wake() {
        guard isWaiting.exchange(false, ordering: .sequentiallyConsistent) else { return }
        var one: UInt64 = 1
        // The counter cannot overflow: the loop reads it down. Nothing else makes this write fail.
        _ = unsafe write(alarm.raw, &one, MemoryLayout<UInt64>.size)
    }

    // MARK: On the loop

    /// Calls the handler on the loop whenever the descriptor is ready. Watching again replaces events and handler.
    package func watch(_ descriptor: Int32, for events: DescriptorEvents, _ handler: @escaping Handler) {
        let operation =
            unsafe handlers.updateValue(handler, forKey: descriptor) == nil ? agd_epoll_add : agd_epoll_modify
        if agd_epoll_control(epoll.raw, operation, descriptor, events.rawValue) != 0, errno == ENOENT {
            // The descriptor was closed and its number given again: the kernel has forgotten it.
            _ = agd_epoll_control(epoll.raw, agd_epoll_add, descriptor, events.rawValue)
        }
    }

    package func unwatch(_ descriptor: Int32) {
        guard unsafe handlers.removeValue(forKey: descriptor) != nil else { return }
        unsafe outdated.insert(descriptor)
        _ = agd_epoll_control(epoll.raw, agd_epoll_delete, descriptor, 0)
    }

    /// Calls the handler once, at the instant or soon after.
    package func schedule(at instant: ContinuousClock.Instant, _ handler: @escaping () -> Void) -> TimerID {
        unsafe timers.schedule(at: instant, handler)
    }

    package func cancel(_ timer: TimerID) {
        // What the handler holds may end with it, and cancel others.
        let handler = unsafe timers.cancel(timer)
        withExtendedLifetime(handler) {}
    }

    // MARK: The thread

    private func startThread(name: String) throws(SystemError) {
        let start = unsafe Unmanaged.passRetained(ThreadStart(loop: self, name: name))
        var created = pthread_t()
        // The lock is held until the identity is stored: the new thread asks for it.
        let error = thread.withLock { thread in
            let error = unsafe pthread_create(&created, nil, runThread, start.toOpaque())
            if error == 0 { thread = created }
            return error
        }
        guard error == 0 else {
            unsafe start.release()
            throw SystemError("pthread_create", errno: error)
        }
    }

    fileprivate func run() {
        running.store(UInt(pthread_self()), ordering: .relaxed)
        defer { running.store(0, ordering: .relaxed) }
        var descriptors = [Int32](repeating: 0, count: 64)
        var events = [UInt32](repeating: 0, count: 64)
        while true {
            guard runInbox() else { return }
            runTimers()
            isWaiting.store(true, ordering: .sequentiallyConsistent)
            // Looked at after that: what comes from here on wakes.
            let timeout = hasWork || inbox.withLock { $0.isStopping } ? 0 : nanosecondsToNextTimer()
            unsafe outdated.removeAll(keepingCapacity: true)
            let count = unsafe agd_epoll_wait(epoll.raw, &descriptors, &events, 64, timeout)
            isWaiting.store(false, ordering: .sequentiallyConsistent)
            for index in 0..<max(0, Int(count)) {
                if descriptors[index] == alarm.raw {
                    var count: UInt64 = 0
                    _ = unsafe read(alarm.raw, &count, MemoryLayout<UInt64>.size)
                } else if let handler = unsafe handlers[descriptors[index]],
                    unsafe !outdated.contains(descriptors[index])
                {
                    handler(DescriptorEvents(rawValue: events[index]))
                }
            }
        }
    }

    /// Whether the loop goes on.
    private func runInbox() -> Bool {
        let batch = inbox.withLock { inbox in
            defer { inbox.work = [] }
            return inbox
        }
        run(batch.work)
        // What follows from it, and from that; then it is the turn of timers and descriptors.
        for _ in 0..<Self.mostTurns {
            guard unsafe !own.isEmpty else { break }
            var work = unsafe spare
            unsafe spare = []
            unsafe swap(&own, &work)
            run(work)
            work.removeAll(keepingCapacity: work.capacity <= Self.mostSpare)
            unsafe spare = work
        }
        return !batch.isStopping || hasWork
    }

    private static let mostTurns = 16
    private static let mostSpare = 1_024

    private var hasWork: Bool {
        guard unsafe own.isEmpty else { return true }
        return inbox.withLock { !$0.work.isEmpty }
    }

    private func run(_ work: [Work]) {
        let (serial, task) = unsafe (asUnownedSerialExecutor(), tasks.asUnownedTaskExecutor())
        for piece in work {
            switch piece {
            case .job(let job): unsafe job.runSynchronously(isolatedTo: serial, taskExecutor: task)
            case .task(let job): unsafe job.runSynchronously(on: task)
            case .closure(let closure): closure()
            }
        }
    }

    private func runTimers() {
        let now = ContinuousClock.now
        while let handler = unsafe timers.takeDue(at: now) { handler() }
    }

    private func nanosecondsToNextTimer() -> Int64 {
        guard let next = unsafe timers.next else { return -1 }
        // At most a minute: an instant that is centuries away has more nanoseconds than a number has room for.
        return Int64(min(max(0, ContinuousClock.now.duration(to: next).milliseconds), 60_000) * 1e6)
    }
}

/// What a descriptor is ready for.
package struct DescriptorEvents: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = DescriptorEvents(rawValue: agd_epoll_in)
    package static let writable = DescriptorEvents(rawValue: agd_epoll_out)
    package static let error = DescriptorEvents(rawValue: agd_epoll_error)
    package static let hangup = DescriptorEvents(rawValue: agd_epoll_hangup)
}

private final class ThreadStart {
    let loop: EventLoop
    let name: String
    init(loop: EventLoop, name: String) {
        self.loop = loop
        self.name = name
    }
}

private func runThread(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let raw = unsafe raw else { return nil }
    let start = unsafe Unmanaged<ThreadStart>.fromOpaque(raw).takeRetainedValue()
    unsafe agd_name_thread(start.name)
    start.loop.run()
    return nil
}
