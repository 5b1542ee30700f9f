import LinuxIO
import NotificationModel

/// The shell around `FairHostQueue`, which lives on the network's thread.
final class HostConcurrencyLimiter {
    private let loop: EventLoop
    private let line: FairHostQueue
    private var waiters: [FairHostQueue.Permit: LoopPromise<Bool>] = [:]

    init(loop: EventLoop, limits: FairHostQueue.Limits) {
        self.loop = loop
        line = FairHostQueue(limits: limits)
    }

    func change(_ limits: FairHostQueue.Limits) { admit(line.change(limits)) }

    /// Asks for a place among the transfers to a host.
    ///
    /// - Parameters:
    ///   - rank: the order among waiting permits (`MediaRank`).
    ///   - most: transfers that the host may have at a time, if that is fewer than the limits allow.
    /// - Returns: the permit, and whether it is granted. The caller waits with `admission(with:)` for a permit that is not
    ///   granted, and gives every permit back with `leave`.
    func enter(_ host: String, rank: Int, most: Int) -> (permit: FairHostQueue.Permit, isGranted: Bool) {
        line.enter(host, rank: rank, most: most)
    }

    func raise(_ permit: FairHostQueue.Permit, to rank: Int) { line.raise(permit, to: rank) }

    /// Waits for the place. In the same turn of the loop as `enter`.
    ///
    /// - Returns: `false` when the task was cancelled while it waited; the permit is given back then.
    func admission(with permit: FairHostQueue.Permit) async -> Bool {
        await LoopConfined(self, on: loop).answer { gate, _, promise in
            gate.waiters[permit] = promise
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
        waiter.fulfill(false)
    }

    private func admit(_ permits: [FairHostQueue.Permit]) {
        for permit in permits { waiters.removeValue(forKey: permit)?.fulfill(true) }
    }
}
