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
        let call = LoopCall()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if loop.isIsolatingCurrentContext() == true { return begin(value, call.id, continuation) }
                loop.execute {
                    begin(value, call.id, continuation)
                    // The cancel may have come first, and found nobody.
                    if call.isGivenUp.load(ordering: .acquiring) { giveUp(value, call.id) }
                }
            }
        } onCancel: {
            call.isGivenUp.store(true, ordering: .releasing)
            loop.execute { giveUp(value, call.id) }
        }
    }
}

/// A call from its begin to its answer, for both of its threads.
private final class LoopCall: Sendable {
    private static let last = Atomic<UInt64>(0)

    let id = LoopCall.last.add(1, ordering: .relaxed).newValue
    let isGivenUp = Atomic<Bool>(false)
}
