import LinuxIO
import NotificationModel

/// The shell around `HostLine`, which lives on the network's thread.
final class HostGate {
    private let loop: EventLoop
    private let line: HostLine
    private var waiters: [HostLine.Ticket: LoopPromise<Bool>] = [:]

    init(loop: EventLoop, limits: HostLine.Limits) {
        self.loop = loop
        line = HostLine(limits: limits)
    }

    func change(_ limits: HostLine.Limits) { admit(line.change(limits)) }

    /// Asks for a place among the transfers to a host.
    ///
    /// - Parameter most: transfers that the host may have at a time, if that is fewer than the limits allow.
    /// - Returns: what is to be handed to `leave`; a ticket that is not granted is to be waited with.
    func enter(_ host: String, most: Int) -> (ticket: HostLine.Ticket, isGranted: Bool) {
        line.enter(host, most: most)
    }

    /// Waits for the place. In the same turn of the loop as `enter`.
    ///
    /// - Returns: `false` when the task was cancelled while it waited; the ticket is given back then.
    @inline(never)
    func admission(with ticket: HostLine.Ticket) async -> Bool {
        await LoopBound(self, on: loop).answer { gate, _, promise in
            gate.waiters[ticket] = promise
        } giveUp: { gate, _ in
            gate.giveUp(ticket)
        }
    }

    func leave(_ ticket: HostLine.Ticket) { admit(line.leave(ticket)) }

    func note(_ movement: TransferMovement, of ticket: HostLine.Ticket) {
        switch movement {
        case .stoodStill: admit(line.standStill(ticket))
        case .movesAgain: line.moveAgain(ticket)
        }
    }

    private func giveUp(_ ticket: HostLine.Ticket) {
        guard let waiter = waiters.removeValue(forKey: ticket) else { return }
        admit(line.leave(ticket))
        waiter.fulfill(false)
    }

    private func admit(_ tickets: [HostLine.Ticket]) {
        for ticket in tickets { waiters.removeValue(forKey: ticket)?.fulfill(true) }
    }
}
