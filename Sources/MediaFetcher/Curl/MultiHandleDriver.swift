import CCurl
import LinuxIO
import NotificationModel

/// libcurl's multi interface, which lives on an event loop: transfers come in as calls, sockets and timers as events.
///
/// A transfer ends in one of three ways, whichever is first: libcurl is done, the caller's task is cancelled, or a phase
/// takes too long. In the last two its easy handle is removed, which closes the socket at once; nothing is left to
/// finish behind the caller's back.
final class MultiHandleDriver {
    let loop: EventLoop
    /// `nil` after the shutdown.
    private var multi: CurlMulti?
    private let handles: EasyHandlePool
    /// Second connections that race a stalled first one. They are for single stalled connections: if everything stalls,
    /// they only add to the load.
    private var hedgeCount = 0
    private static let mostHedges = 4
    private var runs: [HedgedTransfer.ID: HedgedTransfer] = [:]
    /// When libcurl wants to be called; it changes its mind several times in each transfer.
    private var due: MonotonicInstant?
    /// Never later than `due`; where it is earlier, it is set again.
    private var alarm: CoalescingTimer
    /// Hardly later than the next look that any run needs: one timer for all, as most runs end before theirs.
    private var round: CoalescingTimer
    /// As the loop watches them: those too that libcurl has turned away from, as it does behind each transfer, and mostly
    /// turns to again for the next.
    private var sockets: [curl_socket_t: Watch] = [:]

    /// The open connections by their sockets, and those that may carry a further request by their endpoints.
    private var connections: [curl_socket_t: MeteredConnection] = [:]
    private var reusable: [ConnectionEndpoints: MeteredConnection] = [:]
    /// Whether a connection was flooded whose transfers have not ended.
    private var isFlooded = false

    private struct Watch {
        let events: DescriptorEvents
        /// libcurl wants to hear of it.
        var isWanted: Bool
    }

    /// - Parameter handles: those of all drivers on the loop.
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

    /// Ends what still runs, and closes the connections that are kept for later. Before the loop ends.
    func shutdown() {
        for id in runs.keys { end(id, .shutDown) }
        // Some of the numbers may be another engine's by now: all of a loop's end in one turn.
        for socket in sockets.keys { loop.unwatch(socket) }
        (sockets, connections) = ([:], [:])
        multi = nil
    }

    /// How many connections there may be, those in use included, before one that nobody uses is closed.
    func keep(connections: Int) { multi?.keep(connections: connections) }

    // MARK: Transfers

    /// Runs one transfer to its end, or to its `end` from outside.
    func begin(_ id: HedgedTransfer.ID, _ request: TransferRequest, _ promise: LoopPromise<TransferReport>) {
        let run = HedgedTransfer(id, self, promise)
        runs[id] = run
        if let failure = start(request, for: run) { finish(run, TransferReport(of: request, unstarted: failure)) }
    }

    private func start(_ request: TransferRequest, for run: HedgedTransfer) -> MediaFailure? {
        do throws(MediaFailure) {
            let transfer = try Transfer(request, of: run, handles)
            guard multi?.add(transfer.easy) ?? false else {
                _ = transfer.letGo()
                throw MediaFailure(.internal, "libcurl takes no more transfers")
            }
            run.transfers.append(transfer)
            scheduleCheck(at: run)
            return nil
        } catch {
            return error
        }
    }

    /// From outside: the report says what had come until then.
    func end(_ id: HedgedTransfer.ID, _ failure: MediaFailure) {
        // Of two that race, the one that has come further.
        guard let run = runs[id], let furthest = run.transfers.max(by: { $0.byteCount < $1.byteCount }) else { return }
        finish(run, furthest.report(failure))
    }

    /// One transfer has ended. Where another one runs for the same, a failure leaves the matter to that.
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
        run.promise.fulfill(report)
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

    /// Ends the transfers whose connection is flooded.
    private func endFlooded() {
        isFlooded = false
        for transfer in runs.values.flatMap(\.transfers) where transfer.connection?.isFlooded == true {
            ended(transfer, transfer.report(MeteredConnection.flood))
        }
    }

    // MARK: Standing still

    private func scheduleCheck(at run: HedgedTransfer, after now: MonotonicInstant = .now) {
        guard var next = run.transfers.first?.nextCheck(after: now) else { return }
        for transfer in run.transfers.dropFirst() { next = min(next, transfer.nextCheck(after: now)) }
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
        // Each asks for the next round that it needs.
        for run in due { look(at: run, now) }
        if let next { round.set(at: max(next, now + rest)) }
    }

    /// A round goes over all runs: the more there are, the longer those wait that are not due yet.
    private static let roundTimePerRun = Duration.microseconds(10)

    private func look(at run: HedgedTransfer, _ now: MonotonicInstant) {
        for transfer in run.transfers {
            if let failure = transfer.overdue(at: now) { ended(transfer, transfer.report(failure)) }
            if transfer.mayBeHedged(at: now) { hedge(run) }
        }
        scheduleCheck(at: run, after: now)
    }

    private func hedge(_ run: HedgedTransfer) {
        guard !run.isHedged, hedgeCount < Self.mostHedges, let second = run.transfers.first?.hedge else { return }
        guard start(second, for: run) == nil else { return }
        run.isHedged = true
        run.transfers.first?.noteHedge()
        hedgeCount += 1
    }

    // MARK: libcurl's wishes, from its callbacks

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
        loop.watch(socket, for: events) { [unowned self] ready in
            self.ready(socket, ready)
        }
    }

    /// A new socket has a number that an older one may have had, whose end libcurl does not report.
    ///
    /// - Parameter connection: the connection of the socket that the new one races with; `nil` if there is no race.
    func opened(_ socket: curl_socket_t, for connection: MeteredConnection?) -> MeteredConnection {
        unwatch(socket)
        let connection = connection ?? MeteredConnection { [unowned self] in isFlooded = true }
        connections[socket] = connection
        return connection
    }

    /// The connection carries its first request.
    func connected(_ connection: MeteredConnection, _ endpoints: ConnectionEndpoints) {
        connection.endpoints = endpoints
        reusable[endpoints] = connection
    }

    func connection(with endpoints: ConnectionEndpoints) -> MeteredConnection? {
        let connection = reusable[endpoints]
        if connection?.isFlooded == true { isFlooded = true }
        return connection
    }

    /// libcurl closes the socket. It does not report sockets that have lost a race for a connection.
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
        // Something has come on a connection that is kept for later, mostly its end: libcurl finds out when it wants to use
        // it.
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

/// One transfer, or two for the same that race each other. Lives on the engine's thread.
final class HedgedTransfer {
    typealias ID = UInt64

    let id: ID
    unowned let engine: MultiHandleDriver
    let promise: LoopPromise<TransferReport>
    var transfers: [Transfer] = []
    /// When to look next whether they stand still.
    var nextCheck = MonotonicInstant.now
    var isHedged = false

    init(_ id: ID, _ engine: MultiHandleDriver, _ promise: LoopPromise<TransferReport>) {
        self.id = id
        self.engine = engine
        self.promise = promise
    }
}
