import LinuxIO
import NotificationModel

/// The shell around `FairHostQueue`, which lives on the network's thread.
final class HostConcurrencyLimiter {
    private let loop: EventLoop
    private let line: FairHostQueue
    private var waiters: [FairHostQueue.Ticket: LoopPromise<Bool>] = [:]

    init(loop: EventLoop, limits: FairHostQueue.Limits) {
        self.loop = loop
        line = FairHostQueue(limits: limits)
    }

    func change(_ limits: FairHostQueue.Limits) { admit(line.change(limits)) }

    /// Asks for a place among the transfers to a host.
    ///
    /// - Parameter most: transfers that the host may have at a time, if that is fewer than the limits allow.
    /// - Returns: what is to be handed to `leave`; a ticket that is not granted is to be waited with.
    func enter(_ host: String, most: Int) -> (ticket: FairHostQueue.Ticket, isGranted: Bool) {
        line.enter(host, most: most)
    }

    /// Waits for the place. In the same turn of the loop as `enter`.
    ///
    /// - Returns: `false` when the task was cancelled while it waited; the ticket is given back then.
    @inline(never)
    func admission(with ticket: FairHostQueue.Ticket) async -> Bool {
        await LoopConfined(self, on: loop).answer { gate, _, promise in
            gate.waiters[ticket] = promise
        } giveUp: { gate, _ in
            gate.giveUp(ticket)
        }
    }

    func leave(_ ticket: FairHostQueue.Ticket) { admit(line.leave(ticket)) }

    func note(_ movement: TransferActivity, of ticket: FairHostQueue.Ticket) {
        switch movement {
        case .stoodStill: admit(line.standStill(ticket))
        case .movesAgain: line.moveAgain(ticket)
        }
    }

    private func giveUp(_ ticket: FairHostQueue.Ticket) {
        guard let waiter = waiters.removeValue(forKey: ticket) else { return }
        admit(line.leave(ticket))
        waiter.fulfill(false)
    }

    private func admit(_ tickets: [FairHostQueue.Ticket]) {
        for ticket in tickets { waiters.removeValue(forKey: ticket)?.fulfill(true) }
    }
}
