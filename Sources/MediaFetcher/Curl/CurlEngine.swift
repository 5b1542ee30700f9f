import CCurl
import LinuxIO
import NotificationModel

/// libcurl's multi interface on the network's thread: transfers come in as calls, sockets and timers as events of the
/// loop.
///
/// A transfer ends in one of three ways, whichever is first: libcurl is done, the caller's task is cancelled, or a phase
/// takes too long. In the last two its easy handle is removed, which closes the socket at once; nothing is left to
/// finish behind the caller's back.
actor CurlEngine {
    private typealias RunID = Transfer.RunID

    /// One transfer, or two for the same that race each other.
    private struct Run {
        let request: TransferRequest
        let continuation: CheckedContinuation<TransferReport, Never>
        var transfers: [Transfer] = []
        /// When to look next whether they stand still.
        var check: EventLoop.TimerID?
        var isHedged = false
    }

    /// Second connections are for single stuck ones; where everything stands still they only add to it.
    private static let mostHedges = 4

    nonisolated let loop: EventLoop
    /// `nil` after the shutdown.
    private var multi: CurlMulti?
    private let share: CurlShare
    private let userAgent: String
    private var runs: [RunID: Run] = [:]
    private var lastRun: RunID = 0
    private var hedges = 0
    /// When libcurl wants to be called; it changes its mind several times in each transfer.
    private var due: ContinuousClock.Instant?
    /// Never later than `due`; where it is earlier, it is set again.
    private var alarm: (id: EventLoop.TimerID, at: ContinuousClock.Instant)?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, userAgent: String) throws(MediaFailure) {
        guard let multi = CurlMulti(), let share = CurlShare.create() else {
            throw MediaFailure(.internal, "libcurl cannot be started")
        }
        self.loop = loop
        self.multi = consume multi
        self.share = consume share
        self.userAgent = userAgent
        guard self.multi?.connect(to: self) ?? false else {
            throw MediaFailure(.internal, "libcurl refuses its settings")
        }
    }

    /// Ends what still runs, and closes the connections that are kept for later. Before the loop ends.
    func shutdown() {
        for id in runs.keys { end(id, MediaFailure(.cancelled, "the fetcher was shut down")) }
        multi = nil
    }

    /// How many connections there may be, those in use included, before one that nobody uses is closed.
    func keep(connections: Int) { multi?.keep(connections: connections) }

    // MARK: Transfers

    /// Runs one transfer to its end. Cancelling the calling task ends it at once.
    func run(_ request: TransferRequest) async -> TransferReport {
        guard !Task.isCancelled else { return TransferReport(unstarted: .cancelled) }
        lastRun += 1
        let id = lastRun
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                runs[id] = Run(request: request, continuation: continuation)
                if let failure = start(request, for: id) { finish(id, TransferReport(unstarted: failure)) }
            }
        } onCancel: {
            // Runs after the lines above even when the task was cancelled before: both are turns of this loop.
            loop.execute { [weak self] in
                self?.assumeIsolated { $0.end(id, .cancelled) }
            }
        }
    }

    private func start(_ request: TransferRequest, for id: RunID) -> MediaFailure? {
        do throws(MediaFailure) {
            let transfer = try Transfer(request, of: id, share: share, userAgent: userAgent)
            guard multi?.add(transfer.easy) ?? false else {
                throw MediaFailure(.internal, "libcurl takes no more transfers")
            }
            runs[id]?.transfers.append(transfer)
            scheduleCheck(of: id)
            return nil
        } catch {
            return error
        }
    }

    /// From outside: the report says what had come until then.
    private func end(_ id: RunID, _ failure: MediaFailure) {
        // Of two that race, the one that has come further.
        let furthest = runs[id]?.transfers.max { $0.state.byteCount < $1.state.byteCount }
        guard let transfer = furthest else { return }
        finish(id, transfer.report(failure))
    }

    /// One transfer has ended. Where another one runs for the same, a failure leaves the matter to that.
    private func ended(_ transfer: Transfer, _ report: TransferReport) {
        let id = transfer.run
        guard report.failure != nil, runs[id]?.transfers.count ?? 0 > 1 else { return finish(id, report) }
        multi?.remove(transfer.easy)
        runs[id]?.transfers.removeAll { $0 === transfer }
    }

    private func finish(_ id: RunID, _ report: TransferReport) {
        guard let run = runs.removeValue(forKey: id) else { return }
        for transfer in run.transfers { multi?.remove(transfer.easy) }
        if let check = run.check { loop.cancel(check) }
        if run.isHedged { hedges -= 1 }
        run.continuation.resume(returning: report)
    }

    private func collect() {
        while let (transfer, code) = multi?.nextDone() { ended(transfer, transfer.report(code)) }
    }

    // MARK: Standing still

    private func scheduleCheck(of id: RunID) {
        guard let next = runs[id]?.transfers.map(\.nextCheck).min() else { return }
        if let check = runs[id]?.check { loop.cancel(check) }
        runs[id]?.check = loop.schedule(at: next) { [unowned self] in self.assumeIsolated { $0.check(id) } }
    }

    private func check(_ id: RunID) {
        for transfer in runs[id]?.transfers ?? [] {
            if let failure = transfer.overdue(at: .now) { ended(transfer, transfer.report(failure)) }
            if transfer.isStandingStill { hedge(id) }
        }
        scheduleCheck(of: id)
    }

    private func hedge(_ id: RunID) {
        guard let run = runs[id], !run.isHedged, let hedge = run.request.hedge, hedges < Self.mostHedges else { return }
        runs[id]?.isHedged = true
        hedges += 1
        _ = start(hedge(), for: id)
    }

    // MARK: libcurl's wishes, from its callbacks

    func watch(_ socket: curl_socket_t, for what: Int32) {
        guard what != CURL_POLL_REMOVE else { return loop.unwatch(socket) }
        var events: DescriptorEvents = []
        if what & CURL_POLL_IN != 0 { events.insert(.readable) }
        if what & CURL_POLL_OUT != 0 { events.insert(.writable) }
        loop.watch(socket, for: events) { [unowned self] ready in
            self.assumeIsolated { $0.ready(socket, ready) }
        }
    }

    func setTimer(milliseconds: Int) {
        due = milliseconds >= 0 ? .now.advanced(by: .milliseconds(milliseconds)) : nil
        setAlarm()
    }

    private func setAlarm() {
        guard let due else { return }
        if let alarm {
            if alarm.at <= due { return }
            loop.cancel(alarm.id)
        }
        let id = loop.schedule(at: due) { [unowned self] in self.assumeIsolated { $0.ring() } }
        alarm = (id, due)
    }

    private func ring() {
        alarm = nil
        guard let due, due <= .now else { return setAlarm() }
        self.due = nil
        multi?.timeoutAction()
        collect()
    }

    private func ready(_ socket: curl_socket_t, _ events: DescriptorEvents) {
        var action: Int32 = 0
        if events.contains(.readable) || events.contains(.hangup) { action |= CURL_CSELECT_IN }
        if events.contains(.writable) { action |= CURL_CSELECT_OUT }
        if events.contains(.error) { action |= CURL_CSELECT_ERR }
        multi?.socketAction(socket, action)
        collect()
    }
}
