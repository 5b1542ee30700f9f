import LinuxIO
import NotificationModel
import Primitives

/// The asynchronous interface of `FairHostQueue`, which suspends the waiters. It is used only on the network's thread.
final class HostConcurrencyLimiter {
    private let loop: EventLoop
    private let line: FairHostQueue
    private var waiters: [FairHostQueue.Permit: Waiter<Bool>] = [:]

    init(loop: EventLoop, limits: FairHostQueue.Limits) {
        self.loop = loop
        line = FairHostQueue(limits: limits)
    }

    func change(_ limits: FairHostQueue.Limits) { admit(line.change(limits)) }

    /// Requests a permit like `FairHostQueue.enter`. The caller waits with `admission(with:)` for a permit that is not
    /// granted, and gives every permit back with `leave`.
    func enter(_ host: String, rank: Int, most: Int) -> (permit: FairHostQueue.Permit, isGranted: Bool) {
        line.enter(host, rank: rank, most: most)
    }

    func raise(_ permit: FairHostQueue.Permit, to rank: Int) { line.raise(permit, to: rank) }

    /// Waits until a permit is granted. The caller must not suspend between `enter` and this call. Returns `false` if
    /// the task was cancelled while it waited. The permit is given back in this case.
    func admission(with permit: FairHostQueue.Permit) async -> Bool {
        await LoopConfined(self, on: loop).answer { gate, _, waiter in
            gate.waiters[permit] = waiter
        } giveUp: { gate, _ in
            gate.giveUp(permit)
        }
    }

    func leave(_ permit: FairHostQueue.Permit) { admit(line.leave(permit)) }

    func setMost(_ most: Int, of permit: FairHostQueue.Permit) { admit(line.setMost(most, of: permit)) }

    func stall(_ permit: FairHostQueue.Permit) { admit(line.stall(permit)) }

    func resume(_ permit: FairHostQueue.Permit) { line.resume(permit) }

    private func giveUp(_ permit: FairHostQueue.Permit) {
        guard let waiter = waiters.removeValue(forKey: permit) else { return }
        admit(line.leave(permit))
        waiter.resume(returning: false)
    }

    private func admit(_ permits: [FairHostQueue.Permit]) {
        for permit in permits { waiters.removeValue(forKey: permit)?.resume(returning: true) }
    }
}

extension FairHostQueue.Limits {
    init(_ limits: FetchLimits) {
        self.init(
            total: limits.connections, perHost: limits.connectionsPerHost, stalled: limits.stalled,
            stalledPerHost: limits.stalledPerHost)
    }
}
