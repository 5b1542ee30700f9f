import LinuxIO
import NotificationModel
import Synchronization

/// What lives on an event loop's thread and is touched there only, for those who are elsewhere to hold.
///
/// What an actor on that loop would be, without its cost: each step into an actor and out of it is a question to the
/// runtime about executors, hundreds of instructions long, and a download takes dozens of such steps. Here each touch
/// compares two numbers, and one from another thread ends the process.
struct LoopBound<Value: AnyObject>: @unchecked Sendable {
    let loop: EventLoop
    private let value: Value

    init(_ value: Value, on loop: EventLoop) {
        self.loop = loop
        self.value = value
    }

    /// On the loop's thread.
    var here: Value {
        loop.checkIsolated()
        return value
    }

    /// From any thread: now, or as a turn of the loop.
    func tell(_ body: @escaping @Sendable (Value) -> Void) {
        if loop.isIsolatingCurrentContext() == true { return body(value) }
        loop.execute { body(value) }
    }

    /// From any thread: asks for something, and waits. Who waits gets it where they are, without another turn of the loop.
    ///
    /// - Parameters:
    ///   - begin: called once, on the loop, with a number that no other call has; the continuation is to be resumed once.
    ///   - giveUp: called on the loop, behind `begin`, when the calling task is cancelled; twice, if it was so early, and
    ///     also when the answer has been given.
    func answer<Answer: Sendable>(
        _ begin: @escaping @Sendable (Value, UInt64, CheckedContinuation<Answer, Never>) -> Void,
        giveUp: @escaping @Sendable (Value, UInt64) -> Void
    ) async -> Answer {
        let call = LoopCall(self, begin, giveUp)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { call.start($0) }
        } onCancel: {
            call.cancel()
        }
    }
}

/// A call from its begin to its answer, for both of its threads.
///
/// An object, so that the task that waits has to keep nothing else.
private final class LoopCall<Value: AnyObject, Answer: Sendable>: Sendable {
    private let bound: LoopBound<Value>
    private let begin: @Sendable (Value, UInt64, CheckedContinuation<Answer, Never>) -> Void
    private let giveUp: @Sendable (Value, UInt64) -> Void
    private let id = lastCall.add(1, ordering: .relaxed).newValue
    private let isGivenUp = Atomic<Bool>(false)

    init(
        _ bound: LoopBound<Value>,
        _ begin: @escaping @Sendable (Value, UInt64, CheckedContinuation<Answer, Never>) -> Void,
        _ giveUp: @escaping @Sendable (Value, UInt64) -> Void
    ) {
        self.bound = bound
        self.begin = begin
        self.giveUp = giveUp
    }

    func start(_ continuation: CheckedContinuation<Answer, Never>) {
        let loop = bound.loop
        if loop.isIsolatingCurrentContext() == true { return begin(bound.here, id, continuation) }
        loop.execute { [self] in
            begin(bound.here, id, continuation)
            // The cancel may have come first, and found nobody.
            if isGivenUp.load(ordering: .acquiring) { giveUp(bound.here, id) }
        }
    }

    func cancel() {
        isGivenUp.store(true, ordering: .releasing)
        bound.loop.execute { [self] in giveUp(bound.here, id) }
    }
}

/// Of all kinds together.
private let lastCall = Atomic<UInt64>(0)
