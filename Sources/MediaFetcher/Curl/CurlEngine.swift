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
    private typealias RunID = UInt64
    /// An easy handle's address, which is another transfer's soon after it is freed.
    private typealias Easy = Int

    /// One transfer, or two for the same that race each other.
    private struct Run {
        let request: TransferRequest
        let continuation: CheckedContinuation<TransferReport, Never>
        var transfers: [Easy: Transfer] = [:]
        var isHedged = false
    }

    /// Second connections are for single stuck ones; where everything stands still they only add to it.
    private static let mostHedges = 16

    nonisolated let loop: EventLoop
    /// `nil` after the shutdown.
    private var multi: CurlMulti?
    private let share: CurlShare
    private let userAgent: String
    private var runs: [RunID: Run] = [:]
    private var runOf: [Easy: RunID] = [:]
    private var checks: [Easy: EventLoop.TimerID] = [:]
    private var lastRun: RunID = 0
    private var hedges = 0
    private var timer: EventLoop.TimerID?

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

    /// As many connections are kept as may be used at a time.
    func change(_ limits: FetchLimits) { multi?.keep(connections: limits.connections + limits.standing) }

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
            let transfer = try Transfer(request, share: share, userAgent: userAgent)
            guard multi?.add(transfer.easy) ?? false else {
                throw MediaFailure(.internal, "libcurl takes no more transfers")
            }
            let easy = transfer.easy.address
            runs[id]?.transfers[easy] = transfer
            runOf[easy] = id
            scheduleCheck(of: transfer)
            return nil
        } catch {
            return error
        }
    }

    /// From outside: the report says what had come until then.
    private func end(_ id: RunID, _ failure: MediaFailure) {
        // Of two that race, the one that has come further.
        let furthest = runs[id]?.transfers.values.max { $0.state.byteCount < $1.state.byteCount }
        guard let transfer = furthest else { return }
        finish(id, transfer.report(failure))
    }

    /// One transfer has ended. Where another one runs for the same, a failure leaves the matter to that.
    private func ended(_ easy: Easy, _ report: TransferReport) {
        guard let id = runOf[easy], let run = runs[id] else { return }
        guard report.failure != nil, run.transfers.count > 1, let transfer = run.transfers[easy] else {
            return finish(id, report)
        }
        drop(transfer)
        runs[id]?.transfers[easy] = nil
    }

    private func finish(_ id: RunID, _ report: TransferReport) {
        guard let run = runs.removeValue(forKey: id) else { return }
        for transfer in run.transfers.values { drop(transfer) }
        if run.isHedged { hedges -= 1 }
        run.continuation.resume(returning: report)
    }

    private func drop(_ transfer: Transfer) {
        let easy = transfer.easy.address
        runOf[easy] = nil
        if let check = checks.removeValue(forKey: easy) { loop.cancel(check) }
        multi?.remove(transfer.easy)
    }

    private func collect() {
        while let (easy, code) = multi?.nextDone() {
            guard let transfer = transfer(easy) else { continue }
            ended(easy, transfer.report(code))
        }
    }

    private func transfer(_ easy: Easy) -> Transfer? { runOf[easy].flatMap { runs[$0]?.transfers[easy] } }

    // MARK: Standing still

    private func scheduleCheck(of transfer: Transfer) {
        let easy = transfer.easy.address
        checks[easy] = loop.schedule(at: transfer.nextCheck) { [unowned self] in
            self.assumeIsolated { $0.check(easy) }
        }
    }

    private func check(_ easy: Easy) {
        guard let transfer = transfer(easy), let id = runOf[easy] else { return }
        if let failure = transfer.overdue(at: .now) { return ended(easy, transfer.report(failure)) }
        if transfer.isStandingStill { hedge(id) }
        scheduleCheck(of: transfer)
    }

    private func hedge(_ id: RunID) {
        guard let run = runs[id], !run.isHedged, let hedge = run.request.hedge, hedges < Self.mostHedges else { return }
        runs[id]?.isHedged = true
        hedges += 1
        // Ends with the making of a file; a run that has ended meanwhile takes no second transfer.
        Task {
            guard let second = await hedge(), runs[id] != nil else { return }
            _ = start(second, for: id)
        }
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
        if let timer { loop.cancel(timer) }
        timer = nil
        guard milliseconds >= 0 else { return }
        timer = loop.schedule(at: .now.advanced(by: .milliseconds(milliseconds))) { [unowned self] in
            self.assumeIsolated { engine in
                engine.timer = nil
                engine.multi?.timeoutAction()
                engine.collect()
            }
        }
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
