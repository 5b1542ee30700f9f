import LinuxIO
import NotificationModel
import Synchronization

/// A reference to an object that is used only on the thread of its event loop. Code on other threads can hold the
/// reference.
///
/// An actor on that loop would do the same at a higher cost. Each step into and out of an actor makes the runtime
/// compare executors. The comparison takes hundreds of instructions, and a download has dozens of such steps. Here each
/// access compares two numbers, and an access from another thread ends the process.
struct LoopConfined<Value: AnyObject>: @unchecked Sendable {
    let loop: EventLoop
    private let confined: Value

    init(_ confined: Value, on loop: EventLoop) {
        self.loop = loop
        self.confined = confined
    }

    /// The object. It must be read on the thread of the loop.
    var value: Value {
        loop.checkIsolated()
        return confined
    }

    /// Runs a closure with the object, from any thread: at once on the loop's thread, and otherwise as a callback of
    /// the loop.
    func tell(_ body: @escaping @Sendable (Value) -> Void) {
        if loop.isIsolatingCurrentContext() == true { return body(confined) }
        loop.execute { body(confined) }
    }

    /// Starts an operation of the object, from any thread, and waits for its answer. The waiting task continues on its
    /// own executor, without another callback of the loop.
    ///
    /// - Parameter begin: starts the operation on the loop. It receives a unique number and a promise that must be
    ///   fulfilled once.
    /// - Parameter giveUp: cancels the operation on the loop, after `begin`, when the calling task is cancelled. It may
    ///   be called twice, and after the promise was fulfilled.
    func answer<Answer: Sendable>(
        _ begin: @escaping @Sendable (Value, UInt64, LoopPromise<Answer>) -> Void,
        giveUp: @escaping @Sendable (Value, UInt64) -> Void
    ) async -> Answer {
        let call = LoopRequest(self, begin, giveUp)
        return await withTaskCancellationHandler {
            await LoopPromise.answer { call.start($0) }
        } onCancel: {
            call.cancel()
        }
    }
}

/// The promise of an answer for which a task waits. Any thread may fulfill it, once.
///
/// The answer is stored under a lock, which orders the work of the answering thread before that of the task. A
/// continuation orders both too, but only inside the Swift runtime. If it is resumed before its task waits, the thread
/// sanitizer sees no order, and reports a race at the first read of the answer.
struct LoopPromise<Answer: Sendable>: Sendable {
    private final class Storage: Sendable {
        let answer = Guarded<Answer?>(nil)
    }

    private let storage: Storage
    private let continuation: CheckedContinuation<Void, Never>

    /// Returns the answer after the promise that `begin` receives has been fulfilled.
    fileprivate static func answer(_ begin: (LoopPromise) -> Void) async -> Answer {
        let storage = Storage()
        await withCheckedContinuation { begin(LoopPromise(storage: storage, continuation: $0)) }
        guard let answer = storage.answer.withLock({ $0 }) else { preconditionFailure("the promise has no value") }
        return answer
    }

    func fulfill(_ answer: Answer) {
        storage.answer.withLock { $0 = answer }
        continuation.resume()
    }
}

/// The state of one call of `answer`, which both threads use.
///
/// It is a class, so that the frame of the waiting task has to keep only one reference.
private final class LoopRequest<Value: AnyObject, Answer: Sendable>: Sendable {
    private let bound: LoopConfined<Value>
    private let begin: @Sendable (Value, UInt64, LoopPromise<Answer>) -> Void
    private let giveUp: @Sendable (Value, UInt64) -> Void
    private let id = lastCall.add(1, ordering: .relaxed).newValue
    private let isGivenUp = Atomic<Bool>(false)

    init(
        _ bound: LoopConfined<Value>,
        _ begin: @escaping @Sendable (Value, UInt64, LoopPromise<Answer>) -> Void,
        _ giveUp: @escaping @Sendable (Value, UInt64) -> Void
    ) {
        self.bound = bound
        self.begin = begin
        self.giveUp = giveUp
    }

    func start(_ promise: LoopPromise<Answer>) {
        let loop = bound.loop
        if loop.isIsolatingCurrentContext() == true { return begin(bound.value, id, promise) }
        loop.execute { [self] in
            begin(bound.value, id, promise)
            // If the cancellation came first, it found no operation to cancel.
            if isGivenUp.load(ordering: .acquiring) { giveUp(bound.value, id) }
        }
    }

    func cancel() {
        isGivenUp.store(true, ordering: .releasing)
        bound.loop.execute { [self] in giveUp(bound.value, id) }
    }
}

/// The last number of a call, over all types of objects.
private let lastCall = Atomic<UInt64>(0)
