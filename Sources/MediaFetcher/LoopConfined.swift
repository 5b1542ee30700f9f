import Base
import LinuxIO
import Synchronization

/// A reference to an object that is used only on the thread of its event loop, which code on other threads can hold.
///
/// An actor on that loop would have the same effect at a higher cost. Each step into and out of an actor makes the
/// runtime compare executors. The comparison takes hundreds of instructions, and a download has dozens of such steps.
/// Here each access compares two numbers, and an access from another thread ends the process.
struct LoopConfined<Value: AnyObject>: @unchecked Sendable {
    let loop: EventLoop
    private let confined: Value

    init(_ confined: Value, on loop: EventLoop) {
        self.loop = loop
        self.confined = confined
    }

    /// The object, which must be read on the thread of the loop.
    var value: Value {
        loop.checkIsolated()
        return confined
    }

    /// Runs a closure with the object, from any thread: at once on the loop, or as a callback of the loop.
    func send(_ body: @escaping @Sendable (Value) -> Void) {
        if loop.isIsolatingCurrentContext() == true { return body(confined) }
        loop.execute { body(confined) }
    }

    /// Starts an operation of the object, from any thread, and waits for its answer. The waiting task continues on its
    /// own executor, without another callback of the loop.
    ///
    /// `begin` starts the operation on the loop, with a unique number and the waiter, which it must resume. `giveUp`
    /// cancels the operation on the loop, after `begin`, when the calling task is cancelled. It may be called twice,
    /// and after the waiter was resumed.
    func answer<Answer: Sendable>(
        _ begin: @escaping @Sendable (Value, UInt64, Waiter<Answer>) -> Void,
        giveUp: @escaping @Sendable (Value, UInt64) -> Void
    ) async -> Answer {
        let call = LoopRequest(self, begin, giveUp)
        let waiter = Waiter<Answer>()
        call.start(waiter)
        return await waiter.value { _ in call.cancel() }
    }
}

/// The state of one call of `answer`, which both threads use.
///
/// The type is a class, so that the frame of the waiting task has to keep only one reference.
private final class LoopRequest<Value: AnyObject, Answer: Sendable>: Sendable {
    private let bound: LoopConfined<Value>
    private let begin: @Sendable (Value, UInt64, Waiter<Answer>) -> Void
    private let giveUp: @Sendable (Value, UInt64) -> Void
    private let id = lastCall.add(1, ordering: .relaxed).newValue
    private let isGivenUp = Atomic<Bool>(false)

    init(
        _ bound: LoopConfined<Value>,
        _ begin: @escaping @Sendable (Value, UInt64, Waiter<Answer>) -> Void,
        _ giveUp: @escaping @Sendable (Value, UInt64) -> Void
    ) {
        self.bound = bound
        self.begin = begin
        self.giveUp = giveUp
    }

    func start(_ waiter: Waiter<Answer>) {
        let loop = bound.loop
        if loop.isIsolatingCurrentContext() == true { return begin(bound.value, id, waiter) }
        loop.execute { [self] in
            begin(bound.value, id, waiter)
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
