import CCurl
import LinuxIO
import NotificationModel

/// libcurl's multi interface on one owned thread: transfers come in as calls, sockets and timers as events of the loop.
///
/// A transfer ends in one of four ways, whichever is first: libcurl is done, the caller's task is cancelled, the
/// deadline passes, or a phase takes too long. In the last three its easy handle is removed, which closes the socket
/// at once; nothing is left to finish behind the caller's back.
actor CurlEngine {
    private typealias TransferID = UInt64

    private struct Running {
        let transfer: Transfer
        let continuation: CheckedContinuation<TransferEnd, Never>
        var timer: EventLoop.TimerID
    }

    nonisolated let loop: EventLoop
    /// `nil` after the shutdown.
    private var multi: CurlMulti?
    private let userAgent: String
    private var running: [TransferID: Running] = [:]
    /// By the address of the easy handle, which is another transfer's soon after it is freed.
    private var identifiers: [Int: TransferID] = [:]
    private var lastID: TransferID = 0
    private var timer: EventLoop.TimerID?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(limits: FetchLimits, userAgent: String) throws(MediaFailure) {
        guard let multi = CurlMulti() else { throw MediaFailure(.internal, "libcurl cannot be started") }
        do { loop = try EventLoop.start(name: "agd-curl") } catch {
            throw MediaFailure(.internal, "the network's thread cannot be started: \(error)")
        }
        self.multi = consume multi
        self.userAgent = userAgent
        guard self.multi?.connect(to: self, limits: limits) ?? false else {
            loop.shutdown()
            throw MediaFailure(.internal, "libcurl refuses its settings")
        }
    }

    /// Ends what still runs, closes the connections that are kept for later, then ends the thread.
    nonisolated func shutdown() async {
        await endAll()
        loop.shutdown()
    }

    private func endAll() {
        for id in running.keys { end(id, .failed(MediaFailure(.cancelled, "the fetcher was shut down"))) }
        multi = nil
    }

    // MARK: Transfers

    /// Runs one transfer to its end. Cancelling the calling task ends it at once.
    func run(_ request: TransferRequest) async -> TransferEnd {
        guard !Task.isCancelled else { return .failed(.cancelled) }
        let transfer: Transfer
        do { transfer = try Transfer(request, userAgent: userAgent) } catch { return .failed(error) }
        lastID += 1
        let id = lastID
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let timer = loop.schedule(at: transfer.nextCheck) { [unowned self] in
                    self.assumeIsolated { $0.check(id) }
                }
                identifiers[transfer.easy.address] = id
                running[id] = Running(transfer: transfer, continuation: continuation, timer: timer)
                if !(multi?.add(transfer.easy) ?? false) {
                    end(id, .failed(MediaFailure(.internal, "libcurl takes no more transfers")))
                }
            }
        } onCancel: {
            // Runs after the lines above even when the task was cancelled before: both are turns of this loop.
            loop.execute { [weak self] in
                self?.assumeIsolated { $0.end(id, .failed(.cancelled)) }
            }
        }
    }

    private func end(_ id: TransferID, _ result: TransferEnd) {
        guard let ended = running.removeValue(forKey: id) else { return }
        identifiers[ended.transfer.easy.address] = nil
        loop.cancel(ended.timer)
        multi?.remove(ended.transfer.easy)
        ended.continuation.resume(returning: result)
    }

    private func check(_ id: TransferID) {
        guard let transfer = running[id]?.transfer else { return }
        if let failure = transfer.overdue(at: .now) { return end(id, .failed(failure)) }
        running[id]?.timer = loop.schedule(at: transfer.nextCheck) { [unowned self] in
            self.assumeIsolated { $0.check(id) }
        }
    }

    private func collect() {
        while let (easy, code) = multi?.nextDone() {
            guard let id = identifiers[easy], let transfer = running[id]?.transfer else { continue }
            end(id, transfer.end(code))
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
