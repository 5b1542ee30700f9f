import LinuxIO
import NotificationModel
import Synchronization

/// What lives on an event loop's thread and is touched there only, for those who are elsewhere to hold.
///
/// What an actor on that loop would be, without its cost: each step into an actor and out of it is a question to the
/// runtime about executors, hundreds of instructions long, and a download takes dozens of such steps. Here each touch
/// compares two numbers, and one from another thread ends the process.
struct LoopConfined<Value: AnyObject>: @unchecked Sendable {
    let loop: EventLoop
    private let confined: Value

    init(_ confined: Value, on loop: EventLoop) {
        self.loop = loop
        self.confined = confined
    }

    /// On the loop's thread.
    var value: Value {
        loop.checkIsolated()
        return confined
    }

    /// From any thread: now, or as a turn of the loop.
    func tell(_ body: @escaping @Sendable (Value) -> Void) {
        if loop.isIsolatingCurrentContext() == true { return body(confined) }
        loop.execute { body(confined) }
    }

    /// From any thread: asks for something, and waits. Who waits gets it where they are, without another turn of the loop.
    ///
    /// - Parameters:
    ///   - begin: called once, on the loop, with a number that no other call has; the promise is to be fulfilled once.
    ///   - giveUp: called on the loop, behind `begin`, when the calling task is cancelled; twice, if it was so early, and
    ///     also when the answer has been given.
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

/// The answer that a task waits for. Any thread fulfills the promise, once.
///
/// The answer goes through a lock, which orders what the answering thread did before what the task does next. A
/// continuation orders both as well, but inside the Swift runtime only: when it is resumed before its task waits, the
/// thread sanitizer sees no order, and reports a race at the first look into the answer.
struct LoopPromise<Answer: Sendable>: Sendable {
    private final class Storage: Sendable {
        let answer = Guarded<Answer?>(nil)
    }

    private let storage: Storage
    private let continuation: CheckedContinuation<Void, Never>

    /// Returns the answer, when the promise that `begin` receives is fulfilled.
    fileprivate static func answer(_ begin: (LoopPromise) -> Void) async -> Answer {
        let storage = Storage()
        await withCheckedContinuation { begin(LoopPromise(storage: storage, continuation: $0)) }
        guard let answer = storage.answer.withLock({ $0 }) else { preconditionFailure("resumed without an answer") }
        return answer
    }

    func fulfill(_ answer: Answer) {
        storage.answer.withLock { $0 = answer }
        continuation.resume()
    }
}

/// A call from its begin to its answer, for both of its threads.
///
/// An object, so that the task that waits has to keep nothing else.
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
            // The cancel may have come first, and found nobody.
            if isGivenUp.load(ordering: .acquiring) { giveUp(bound.value, id) }
        }
    }

    func cancel() {
        isGivenUp.store(true, ordering: .releasing)
        bound.loop.execute { [self] in giveUp(bound.value, id) }
    }
}

/// Of all kinds together.
private let lastCall = Atomic<UInt64>(0)
