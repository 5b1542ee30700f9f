package import Primitives

/// The waits of all loops of the process. The laboratory advances its clocks to the end of the next wait, and then makes
/// the loops look at the time again.
extension EventLoop {
    private struct Reference {
        weak var loop: EventLoop?
    }

    private static let loops = Guarded<[Reference]>([])

    func register() {
        EventLoop.loops.withLock { loops in
            loops.removeAll { $0.loop == nil }
            loops.append(Reference(loop: self))
        }
    }

    private static var all: [EventLoop] { loops.withLock { $0.compactMap(\.loop) } }

    /// The instant at which the next wait of a loop ends; `nil` if all loops wait without an end. The value is exact
    /// while all loops wait.
    package static var nextWaitEnd: MonotonicInstant? { all.compactMap(\.waitEnd).min() }

    /// Makes all loops call the handlers of the timers that are due.
    package static func lookAtTime() { for loop in all { loop.execute {} } }
}
