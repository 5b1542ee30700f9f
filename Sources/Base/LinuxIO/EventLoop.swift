package import Base
import CLinuxShims
import Glibc
import Synchronization

/// An owned thread that waits in epoll, and runs the jobs of the actors that have it as their executor.
///
/// Such an actor has all its state on one thread, together with the descriptors that it watches. A C library that must
/// be called on one thread can be used. The compiler checks that no other code accesses the state, and the cooperative
/// pool never blocks. `watch` and `schedule` must be called on the loop; `enqueue` and `execute` may be called from any
/// thread.
///
/// A task that mostly waits for such actors should prefer `tasks` as its executor. Otherwise, the runtime first resumes
/// the task on a thread of the pool, which only passes the task to this thread.
///
/// Several parts of the program may share a thread. Each of them calls `shutdown` at its end, and the last call ends the
/// thread. Jobs that are enqueued later do not run.
package final class EventLoop: SerialExecutor {
    package typealias Handler = (DescriptorEvents) -> Void

    package typealias TimerID = LoopTimers.ID

    /// A handler in a struct, for the reason that `LoopTimers.Handler` gives.
    private struct Watched {
        let handler: Handler
    }

    /// The executor for tasks that prefer this thread.
    package let tasks: LoopTaskExecutor
    private let queue: EventLoopInbox
    private let epoll: OwnedDescriptor
    private let thread = Guarded<pthread_t?>(nil)
    /// The number of parts of the program that use the thread.
    private let users = Atomic<Int>(1)

    // The following fields are accessed on the loop's thread only.
    nonisolated(unsafe) private var watched: [Int32: Watched] = [:]
    /// The descriptors that were unwatched since the last wait. Events of that wait for such a number are ignored,
    /// because the number may already belong to another descriptor.
    nonisolated(unsafe) private var outdated: Set<Int32> = []
    nonisolated(unsafe) private var timers = LoopTimers()

    /// Creates a loop and starts its thread with a name of at most 15 bytes, or shares the thread of another part.
    package static func start(name: String, orShare shared: EventLoop? = nil) throws(SystemError) -> EventLoop {
        if let shared {
            shared.users.add(1, ordering: .relaxed)
            return shared
        }
        let loop = try EventLoop()
        loop.register()
        try loop.startThread(name: name)
        return loop
    }

    private init() throws(SystemError) {
        epoll = try .adopt(agd_epoll_create(), from: "epoll_create1")
        queue = try EventLoopInbox()
        tasks = LoopTaskExecutor(queue)
        guard agd_epoll_control(epoll.raw, agd_epoll_add, queue.alarm.raw, agd_epoll_in) == 0 else {
            throw .last("epoll_ctl")
        }
    }

    /// Ends one use of the thread. The last use runs all enqueued work, then ends the thread and joins it. This function
    /// must not be called on the loop itself.
    package func shutdown() {
        guard users.subtract(1, ordering: .acquiringAndReleasing).newValue == 0, queue.stop(),
            let thread = thread.withLock({ $0 })
        else { return }
        pthread_join(thread, nil)
    }

    // MARK: Calls from any thread

    package func enqueue(_ job: consuming ExecutorJob) { queue.put(.job(UnownedJob(job))) }

    /// Runs a closure on the loop. Closures from one thread run in the order of the calls.
    package func execute(_ closure: @escaping @Sendable () -> Void) { queue.put(.closure(closure)) }

    /// Runs blocking work on the loop, and waits for its result, even if the task is cancelled.
    package func perform<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let waiter = Waiter<Result<Value, Failure>>()
        execute { waiter.resume(returning: Result { () throws(Failure) in try body() }) }
        return try await waiter.value().get()
    }

    /// Runs a closure on the loop before an instant, or shortly after it. The loop is not woken if its next timer is
    /// earlier. Without this, each deadline that is scheduled or cancelled wakes the thread, which takes 5 % of the
    /// processor time of a cached image (`daemon-bench`).
    package func execute(before instant: MonotonicInstant, _ closure: @escaping @Sendable () -> Void) {
        queue.put(.closure(closure), before: instant)
    }

    package func checkIsolated() { precondition(queue.isCurrent, "called outside of the loop's thread") }

    package func isIsolatingCurrentContext() -> Bool? { queue.isCurrent }

    /// The end of the present wait; `nil` if it has no end.
    var waitEnd: MonotonicInstant? { queue.waitEnd }

    // MARK: Calls on the loop

    /// Calls the handler on the loop when the descriptor is ready. A second call replaces the events and the handler.
    package func watch(_ descriptor: Int32, for events: DescriptorEvents, _ handler: @escaping Handler) {
        let operation =
            unsafe watched.updateValue(Watched(handler: handler), forKey: descriptor) == nil
            ? agd_epoll_add : agd_epoll_modify
        if agd_epoll_control(epoll.raw, operation, descriptor, events.rawValue) != 0, errno == ENOENT {
            // The descriptor was closed and its number was used again, so the kernel no longer watches it. Events of
            // the last wait for this number concern the old descriptor.
            unsafe outdated.insert(descriptor)
            _ = agd_epoll_control(epoll.raw, agd_epoll_add, descriptor, events.rawValue)
        }
    }

    package func unwatch(_ descriptor: Int32) {
        guard unsafe watched.removeValue(forKey: descriptor) != nil else { return }
        unsafe outdated.insert(descriptor)
        _ = agd_epoll_control(epoll.raw, agd_epoll_delete, descriptor, 0)
    }

    /// Calls the handler once, at the instant or shortly after it.
    package func schedule(at instant: MonotonicInstant, _ handler: @escaping () -> Void) -> TimerID {
        unsafe timers.schedule(at: instant, handler)
    }

    package func cancel(_ timer: TimerID) {
        // The handler may hold the last reference to an object, whose deinitialization may cancel other timers.
        let handler = unsafe timers.cancel(timer)
        withExtendedLifetime(handler) {}
    }

    // MARK: The loop's thread

    private func startThread(name: String) throws(SystemError) {
        let start = unsafe Unmanaged.passRetained(ThreadStart(loop: self, name: name))
        var created = pthread_t()
        // The lock is held until the identity of the thread is stored, because the new thread reads it.
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
        queue.threadBegins()
        defer { queue.threadEnds() }
        var descriptors = [Int32](repeating: 0, count: 64)
        var events = [UInt32](repeating: 0, count: 64)
        while runQueue() {
            let timeout = unsafe queue.beginWaiting(until: timers.next) ? 0 : nanosecondsToNextTimer()
            unsafe outdated.removeAll(keepingCapacity: true)
            let count = unsafe agd_epoll_wait(epoll.raw, &descriptors, &events, 64, timeout)
            queue.endWaiting()
            for index in 0..<max(0, Int(count)) {
                if index > 0, index.isMultiple(of: Self.eventsBetweenTurns) { _ = runQueue() }
                if descriptors[index] == queue.alarm.raw {
                    queue.silenceAlarm()
                } else if let watched = unsafe watched[descriptors[index]],
                    unsafe !outdated.contains(descriptors[index])
                {
                    watched.handler(DescriptorEvents(rawValue: events[index]))
                }
            }
            // An enqueued closure may cancel a timer that is due.
            _ = runQueue()
            // Timers run after the descriptors, so data that has arrived prevents a timeout, even if this thread was
            // busy for long.
            let now = MonotonicInstant.now
            while let handler = unsafe timers.takeDue(at: now) { handler.call() }
        }
    }

    /// The maximum number of rounds of work that the loop itself enqueues, before timers and descriptors are handled.
    private static let maxTurns = 16
    /// The number of ready descriptors that are handled before enqueued work, for which other threads may be waiting.
    private static let eventsBetweenTurns = 16

    /// Runs the enqueued work, and returns whether the loop continues.
    private func runQueue() -> Bool {
        let (serial, task) = unsafe (asUnownedSerialExecutor(), tasks.asUnownedTaskExecutor())
        return queue.run(turns: Self.maxTurns) { work in
            switch work {
            case .job(let job): unsafe job.runSynchronously(isolatedTo: serial, taskExecutor: task)
            case .task(let job): unsafe job.runSynchronously(on: task)
            case .closure(let closure): closure()
            }
        }
    }

    private func nanosecondsToNextTimer() -> Int64 {
        guard let next = unsafe timers.next else { return -1 }
        // The wait is a minute at most. The nanoseconds to an instant that is centuries away would overflow.
        return Int64(min(max(0, MonotonicInstant.now.duration(to: next).milliseconds), 60_000) * 1e6)
    }
}

/// The events for which a descriptor is ready.
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
