import Base
import CCurl
import LinuxIO
import NotificationModel

/// The driver of a libcurl multi handle on an event loop. A call starts a transfer. Sockets and timers report events.
///
/// A transfer ends when libcurl has finished it, when the caller's task is cancelled, or when a phase exceeds its time
/// limit. In the last two cases the driver removes the easy handle, which closes the socket at once. No work then
/// continues after the caller has its result.
final class MultiHandleDriver {
    let loop: EventLoop
    /// The multi handle; `nil` after the shutdown.
    private var multi: CurlMulti?
    private let handles: EasyHandlePool
    /// The number of second connections that race a stalled first connection. Second connections help if a single
    /// connection has stalled. If all connections have stalled, second connections only add to the load.
    private var hedgeCount = 0
    private static let maxHedges = 4
    private var runs: [HedgedTransfer.ID: HedgedTransfer] = [:]
    /// The time at which libcurl must be called, which changes several times in each transfer; `nil` without a timer.
    private var due: MonotonicInstant?
    /// The timer for `due`. The timer may fire earlier than `due`, and is then set again.
    private var alarm: CoalescingTimer
    /// The timer for the stall checks of all runs. One timer suffices, because most runs end before their check.
    private var round: CoalescingTimer
    /// The sockets that the loop watches. After each transfer, libcurl stops watching its socket, and usually watches
    /// it again for the next transfer. The loop continues to watch such a socket.
    private var sockets: [curl_socket_t: Watch] = [:]

    /// The open connections by their sockets.
    private var connections: [curl_socket_t: MeteredConnection] = [:]
    /// The connections that may carry a further request, by their endpoints.
    private var reusable: [ConnectionEndpoints: MeteredConnection] = [:]
    /// Whether a flooded connection still has running transfers.
    private var isFlooded = false

    private struct Watch {
        let events: DescriptorEvents
        /// Whether libcurl needs events of the socket.
        var isWanted: Bool
    }

    /// Creates a driver with its own multi handle. All drivers on the loop share the pool of easy handles.
    init(loop: EventLoop, handles: EasyHandlePool) throws(MediaFailure) {
        guard let multi = CurlMulti() else { throw .noLibcurl }
        self.loop = loop
        self.multi = consume multi
        self.handles = handles
        alarm = CoalescingTimer(on: loop)
        round = CoalescingTimer(on: loop)
        guard self.multi?.connect(to: self) ?? false else {
            throw MediaFailure(.internal, "libcurl refuses its settings")
        }
        alarm.handler = { [unowned self] in ring() }
        round.handler = { [unowned self] in makeRound() }
    }

    /// Ends all transfers and closes the idle connections. The caller must call `shutdown` before the loop ends.
    func shutdown() {
        for id in runs.keys { end(id, .shutDown) }
        // A descriptor number may already belong to another driver's socket. Unwatching that socket is safe, because
        // all drivers of a loop are shut down in one iteration of the loop.
        for socket in sockets.keys { loop.unwatch(socket) }
        (sockets, connections) = ([:], [:])
        multi = nil
    }

    func keep(connections: Int) { multi?.keep(connections: connections) }

    // MARK: Start and end of transfers

    /// Starts a transfer. The transfer runs until its end or until a call of `end`.
    func begin(_ id: HedgedTransfer.ID, _ request: TransferRequest, _ waiter: Waiter<TransferReport>) {
        let run = HedgedTransfer(id, self, waiter)
        runs[id] = run
        if let failure = start(request, for: run) { finish(run, TransferReport(of: request, unstarted: failure)) }
    }

    private func start(_ request: TransferRequest, for run: HedgedTransfer) -> MediaFailure? {
        do throws(MediaFailure) {
            let transfer = try Transfer(request, of: run, handles)
            guard multi?.add(transfer.easy) ?? false else {
                _ = transfer.letGo()
                throw MediaFailure(.internal, "libcurl cannot start another transfer")
            }
            run.transfers.append(transfer)
            scheduleCheck(at: run)
            return nil
        } catch {
            return error
        }
    }

    /// Ends a transfer early. The report describes the bytes that have arrived.
    func end(_ id: HedgedTransfer.ID, _ failure: MediaFailure) {
        // If two connections race, the connection with more received bytes is reported.
        guard let run = runs[id], let furthest = run.transfers.max(by: { $0.state.byteCount < $1.state.byteCount })
        else { return }
        finish(run, furthest.report(failure))
    }

    /// Ends one transfer. If a second transfer runs for the same request, a failure of this one is ignored.
    private func ended(_ transfer: Transfer, _ report: TransferReport) {
        let run = transfer.run
        guard report.failure != nil, run.transfers.count > 1 else { return finish(run, report) }
        remove(transfer)
        run.transfers.removeAll { $0 === transfer }
    }

    private func finish(_ run: HedgedTransfer, _ report: TransferReport) {
        guard runs.removeValue(forKey: run.id) != nil else { return }
        for transfer in run.transfers { remove(transfer) }
        run.transfers = []
        if run.isHedged { hedgeCount -= 1 }
        run.waiter.resume(returning: report)
    }

    private func remove(_ transfer: Transfer) {
        multi?.remove(transfer.easy)
        if let easy = transfer.letGo(), handles.giveBack(easy) { scheduleEviction() }
    }

    private func scheduleEviction() {
        _ = loop.schedule(at: .now + EasyHandlePool.checkInterval) { [unowned self] in
            if handles.evictIdle() { scheduleEviction() }
        }
    }

    private func collect() {
        while let (easy, code) = multi?.nextDone() {
            guard let transfer = easy.transfer else { continue }
            ended(transfer, transfer.report(code))
        }
        if isFlooded { endFlooded() }
    }

    /// Ends all transfers on flooded connections.
    private func endFlooded() {
        isFlooded = false
        for transfer in runs.values.flatMap(\.transfers) where transfer.connection?.isFlooded == true {
            ended(transfer, transfer.report(MeteredConnection.flood))
        }
    }

    // MARK: Checks for stalled transfers

    private func scheduleCheck(at run: HedgedTransfer, after now: MonotonicInstant = .now) {
        guard let next = run.transfers.lazy.map({ $0.state.pace.nextCheck(after: now) }).min() else { return }
        run.nextCheck = next
        round.set(at: next)
    }

    private func makeRound() {
        round.didFire()
        let now = MonotonicInstant.now
        let rest = max(StallDetector.checkInterval, Self.roundTimePerRun * runs.count)
        var due: [HedgedTransfer] = []
        var next: MonotonicInstant?
        for run in runs.values {
            if run.nextCheck <= now { due.append(run) } else { next = min(next ?? run.nextCheck, run.nextCheck) }
        }
        // Each checked run schedules its own next check.
        for run in due { look(at: run, now) }
        if let next { round.set(at: max(next, now + rest)) }
    }

    /// The minimum pause between two rounds, per run. A round visits all runs, so with many runs rounds are rarer.
    private static let roundTimePerRun = Duration.microseconds(10)

    private func look(at run: HedgedTransfer, _ now: MonotonicInstant) {
        for transfer in run.transfers {
            if transfer.isPastAnswerTime(at: now) {
                ended(transfer, transfer.report(MediaFailure?.none))
            } else if let failure = transfer.overdue(at: now) {
                ended(transfer, transfer.report(failure))
            }
            if transfer.state.pace.mayBeHedged(at: now) { hedge(run) }
        }
        scheduleCheck(at: run, after: now)
    }

    private func hedge(_ run: HedgedTransfer) {
        guard !run.isHedged, hedgeCount < Self.maxHedges, let second = run.transfers.first?.request.hedge else {
            return
        }
        guard start(second, for: run) == nil else { return }
        run.isHedged = true
        run.transfers.first?.request.running?.hedged()
        hedgeCount += 1
    }

    // MARK: Calls from the callbacks of libcurl

    func watch(_ socket: curl_socket_t, for what: Int32) {
        guard what != CURL_POLL_REMOVE else {
            sockets[socket]?.isWanted = false
            return
        }
        let readable = what & CURL_POLL_IN != 0 ? DescriptorEvents.readable.rawValue : 0
        let writable = what & CURL_POLL_OUT != 0 ? DescriptorEvents.writable.rawValue : 0
        let events = DescriptorEvents(rawValue: readable | writable)
        let isWatched = sockets[socket]?.events == events
        sockets[socket] = Watch(events: events, isWanted: true)
        if isWatched { return }
        loop.watch(socket, for: events) { [unowned self] ready in self.ready(socket, ready) }
    }

    /// Registers a new socket and its connection, which it shares with a socket that it races. The descriptor number
    /// may have belonged to an earlier socket whose end libcurl did not report.
    func opened(_ socket: curl_socket_t, for connection: MeteredConnection?) -> MeteredConnection {
        unwatch(socket)
        let connection = connection ?? MeteredConnection { [unowned self] in isFlooded = true }
        connections[socket] = connection
        return connection
    }

    /// Registers the endpoints of a connection that carries its first request.
    func connected(_ connection: MeteredConnection, _ endpoints: ConnectionEndpoints) {
        connection.endpoints = endpoints
        reusable[endpoints] = connection
    }

    func connection(with endpoints: ConnectionEndpoints) -> MeteredConnection? {
        let connection = reusable[endpoints]
        if connection?.isFlooded == true { isFlooded = true }
        return connection
    }

    /// Removes a socket that libcurl closes. libcurl does not report sockets that have lost a race for a connection.
    func closes(_ socket: curl_socket_t) {
        unwatch(socket)
        let connection = connections.removeValue(forKey: socket)
        if let endpoints = connection?.endpoints, reusable[endpoints] === connection { reusable[endpoints] = nil }
    }

    private func unwatch(_ socket: curl_socket_t) {
        if sockets.removeValue(forKey: socket) != nil { loop.unwatch(socket) }
    }

    func setTimer(milliseconds: Int) {
        due = milliseconds >= 0 ? .now.advanced(by: .milliseconds(milliseconds)) : nil
        setAlarm()
    }

    private func setAlarm() {
        if let due { alarm.set(at: due) }
    }

    private func ring() {
        alarm.didFire()
        guard let due, due <= .now else { return setAlarm() }
        self.due = nil
        multi?.timeoutAction()
        collect()
    }

    private func ready(_ socket: curl_socket_t, _ events: DescriptorEvents) {
        // An idle connection has received bytes or has ended. libcurl finds this when it next uses the connection.
        guard sockets[socket]?.isWanted == true else { return unwatch(socket) }
        var action: Int32 = 0
        if events.contains(.readable) || events.contains(.hangup) { action |= CURL_CSELECT_IN }
        if events.contains(.writable) { action |= CURL_CSELECT_OUT }
        if events.contains(.error) { action |= CURL_CSELECT_ERR }
        let connection = connections[socket]
        let begun = MonotonicInstant.now
        multi?.socketAction(socket, action)
        if connections[socket] === connection { connection?.look(at: socket, after: begun.duration(to: .now)) }
        collect()
    }
}

/// A run of one transfer, or of two transfers that race for one request. It is used on the driver's thread.
final class HedgedTransfer {
    typealias ID = UInt64

    let id: ID
    unowned let driver: MultiHandleDriver
    let waiter: Waiter<TransferReport>
    var transfers: [Transfer] = []
    /// The time of the next stall check.
    var nextCheck = MonotonicInstant.now
    var isHedged = false

    init(_ id: ID, _ driver: MultiHandleDriver, _ waiter: Waiter<TransferReport>) {
        self.id = id
        self.driver = driver
        self.waiter = waiter
    }
}
