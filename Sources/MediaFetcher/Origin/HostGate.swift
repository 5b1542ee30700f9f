import LinuxIO
import NotificationModel

/// The shell around `HostLine`, on the network's thread.
actor HostGate {
    private nonisolated let loop: EventLoop
    private var line: HostLine
    private var waiters: [HostLine.Ticket: CheckedContinuation<Bool, Never>] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, limits: HostLine.Limits) {
        self.loop = loop
        line = HostLine(limits: limits)
    }

    func change(_ limits: HostLine.Limits) { admit(line.change(limits)) }

    /// Waits for a place among the transfers to a host.
    ///
    /// - Parameter isUnknown: whether its connections carry several at a time.
    /// - Returns: what is to be handed to `leave`; `nil` when the task was cancelled while it waited.
    func enter(_ host: String, isUnknown: Bool) async -> HostLine.Ticket? {
        let (ticket, isGranted) = line.enter(host, isUnknown: isUnknown)
        if isGranted { return ticket }
        let isAdmitted = await withTaskCancellationHandler {
            await withCheckedContinuation { waiters[ticket] = $0 }
        } onCancel: {
            // A turn of the loop, so it comes after the line above.
            loop.execute { [weak self] in self?.assumeIsolated { $0.giveUp(ticket) } }
        }
        return isAdmitted ? ticket : nil
    }

    func leave(_ ticket: HostLine.Ticket) { admit(line.leave(ticket)) }

    func note(_ movement: TransferMovement, of ticket: HostLine.Ticket) {
        switch movement {
        case .connected: admit(line.connect(ticket))
        case .stoodStill: admit(line.standStill(ticket))
        case .movesAgain: line.moveAgain(ticket)
        }
    }

    private func giveUp(_ ticket: HostLine.Ticket) {
        guard let waiter = waiters.removeValue(forKey: ticket) else { return }
        admit(line.leave(ticket))
        waiter.resume(returning: false)
    }

    private func admit(_ tickets: [HostLine.Ticket]) {
        for ticket in tickets { waiters.removeValue(forKey: ticket)?.resume(returning: true) }
    }
}
