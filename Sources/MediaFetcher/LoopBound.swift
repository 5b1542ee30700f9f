import LinuxIO

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
}
