import CLinuxShims
import Glibc
package import NotificationModel
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

    /// See `LoopTimers.Handler`.
    private struct Watched {
        let handler: Handler
    }

    /// For tasks that prefer this thread.
    package let tasks: LoopTaskExecutor
    private let queue: EventLoopInbox
    private let epoll: OwnedDescriptor
    private let thread = Guarded<pthread_t?>(nil)

    // Touched on the loop's thread only.
    nonisolated(unsafe) private var watched: [Int32: Watched] = [:]
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
        queue = try EventLoopInbox()
        tasks = LoopTaskExecutor(queue)
        guard agd_epoll_control(epoll.raw, agd_epoll_add, queue.alarm.raw, agd_epoll_in) == 0 else {
            throw .last("epoll_ctl")
        }
    }

    /// Runs what is enqueued, then ends the thread and joins it. Not from the loop itself.
    package func shutdown() {
        guard queue.stop(), let thread = thread.withLock({ $0 }) else { return }
        pthread_join(thread, nil)
    }

    // MARK: From any thread

    package func enqueue(_ job: consuming ExecutorJob) { queue.put(.job(UnownedJob(job))) }

    /// Runs a closure on the loop, in the order of the calls of one thread.
    package func execute(_ closure: @escaping @Sendable () -> Void) { queue.put(.closure(closure)) }

    package func checkIsolated() { precondition(queue.isCurrent, "called outside of the loop's thread") }

    package func isIsolatingCurrentContext() -> Bool? { queue.isCurrent }

    // MARK: On the loop

    /// Calls the handler on the loop whenever the descriptor is ready. Watching again replaces events and handler.
    package func watch(_ descriptor: Int32, for events: DescriptorEvents, _ handler: @escaping Handler) {
        let operation =
            unsafe watched.updateValue(Watched(handler: handler), forKey: descriptor) == nil
            ? agd_epoll_add : agd_epoll_modify
        if agd_epoll_control(epoll.raw, operation, descriptor, events.rawValue) != 0, errno == ENOENT {
            // The descriptor was closed and its number given again: the kernel has forgotten it, and what the last wait has
            // to say of the number is not about the new one.
            unsafe outdated.insert(descriptor)
            _ = agd_epoll_control(epoll.raw, agd_epoll_add, descriptor, events.rawValue)
        }
    }

    package func unwatch(_ descriptor: Int32) {
        guard unsafe watched.removeValue(forKey: descriptor) != nil else { return }
        unsafe outdated.insert(descriptor)
        _ = agd_epoll_control(epoll.raw, agd_epoll_delete, descriptor, 0)
    }

    /// Calls the handler once, at the instant or soon after.
    package func schedule(at instant: MonotonicInstant, _ handler: @escaping () -> Void) -> TimerID {
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
        queue.threadBegins()
        defer { queue.threadEnds() }
        var descriptors = [Int32](repeating: 0, count: 64)
        var events = [UInt32](repeating: 0, count: 64)
        while runQueue() {
            let timeout = queue.beginWaiting() ? 0 : nanosecondsToNextTimer()
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
            // Behind the descriptors: what has come by now is no silence, however long this thread was busy.
            runTimers()
        }
    }

    /// Before it is the turn of timers and descriptors.
    private static let mostTurns = 16
    /// Descriptors that are ready, before it is the turn of what was enqueued: other threads may wait for what follows from
    /// it, with nothing to do until then.
    private static let eventsBetweenTurns = 16

    /// Whether the loop goes on.
    private func runQueue() -> Bool {
        let (serial, task) = unsafe (asUnownedSerialExecutor(), tasks.asUnownedTaskExecutor())
        return queue.run(turns: Self.mostTurns) { work in
            switch work {
            case .job(let job): unsafe job.runSynchronously(isolatedTo: serial, taskExecutor: task)
            case .task(let job): unsafe job.runSynchronously(on: task)
            case .closure(let closure): closure()
            }
        }
    }

    private func runTimers() {
        let now = MonotonicInstant.now
        while let handler = unsafe timers.takeDue(at: now) { handler.call() }
    }

    private func nanosecondsToNextTimer() -> Int64 {
        guard let next = unsafe timers.next else { return -1 }
        // At most a minute: an instant that is centuries away has more nanoseconds than a number has room for.
        return Int64(min(max(0, MonotonicInstant.now.duration(to: next).milliseconds), 60_000) * 1e6)
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
