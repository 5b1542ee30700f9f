import FoundationEssentials
import HTTPCaching
import HTTPTypes
import LinuxIO
import NameResolution
import NotificationModel

/// Asks an origin, as often as it is worth it: the host's breaker, its addresses, its turn, the transfer, and again.
///
/// In comes a request to a judged URL; out goes what the origin has answered, whatever it is, or why there is no answer.
/// It lives on the network's thread, and everything but transfers runs there.
final class OriginClient {
    private let loop: EventLoop
    private let lanes: CurlLanes
    private let resolver: any NameResolving
    private let gate: HostGate
    private let clock: LoopClock
    /// What hosts rest by.
    private let now: @Sendable () -> MonotonicInstant
    private var breaker = HostBreaker()
    private var protocols = HostProtocols()
    private let retries = RetryRule()
    private let observer: @Sendable (FetchEvent) -> Void

    init(
        loop: EventLoop, lanes: CurlLanes, resolver: any NameResolving, limits: FetchLimits,
        now: @escaping @Sendable () -> MonotonicInstant, observer: @escaping @Sendable (FetchEvent) -> Void
    ) {
        self.loop = loop
        self.observer = observer
        self.lanes = lanes
        self.resolver = resolver
        gate = HostGate(loop: loop, limits: HostLine.Limits(limits))
        clock = LoopClock(on: loop)
        self.now = now
        lanes.change(limits)
    }

    func change(_ limits: FetchLimits) {
        gate.change(HostLine.Limits(limits))
        lanes.change(limits)
    }

    func send(_ request: OriginRequest, to url: JudgedURL, for errand: Errand) async -> OriginOutcome {
        let download = Download(request, for: errand.purpose)
        while true {
            download.number += 1
            do throws(MediaFailure) {
                try await attempt(download, at: url, for: errand)
            } catch {
                // A try that was not begun says nothing of the medium: the one before does.
                if error.reason == .hostResting, download.number > 1 { break }
                download.failure = error
            }
            guard !Task.isCancelled, let pause = pause(behind: download, for: errand) else { break }
            errand.trace.enter(.queue)
            await clock.sleep(until: .now + pause)
            if Task.isCancelled { break }
        }
        return outcome(of: download)
    }

    // What these make on their way would have its room in the frame of the task.

    @inline(never)
    private func outcome(of download: Download) -> OriginOutcome {
        Task.isCancelled ? download.abandoned : download.outcome
    }

    /// How long to wait for the next attempt, if there is one.
    @inline(never)
    private func pause(behind download: Download, for errand: Errand) -> Duration? {
        guard errand.purpose == .medium, !download.isThere else { return nil }
        let decision = retries.decide(
            download.attempt, remaining: errand.remaining(), jitter: .random(in: 0...1))
        guard case .again(let pause, let offset) = decision else { return nil }
        download.offset = offset
        return pause
    }

    /// The same, given up after a time of its own.
    func send(
        _ request: OriginRequest, to url: JudgedURL, for errand: Errand, within time: Duration
    ) async -> OriginOutcome {
        let client = LoopBound(self, on: loop)
        let task = Task(executorPreference: loop.tasks) { await client.here.send(request, to: url, for: errand) }
        let outcome = await loop.value(of: task, until: .now + time)
        guard outcome.failure == .cancelled, !Task.isCancelled else { return outcome }
        return OriginOutcome(
            failure: MediaFailure(.budgetExceeded, "the origin did not answer in half of the time that there is"))
    }

    private func attempt(
        _ download: Download, at url: JudgedURL, for errand: Errand
    ) async throws(MediaFailure) {
        let host = url.hostAndPort
        let isProbe = try ask(host, for: errand.purpose)
        download.report = nil
        download.failure = nil
        var verdict: Bool?
        // However it ends, a probe is told: else the host would rest for ever.
        defer { if errand.purpose == .medium { note(verdict, of: host, isProbe: isProbe) } }
        var pin: AddressPin?
        var dns: Duration?
        if url.address == nil {
            do throws(MediaFailure) { (pin, dns) = try await addresses(of: url, for: errand) } catch {
                if error.reason == .dnsFailed { verdict = false }
                throw error
            }
        }
        errand.trace.enter(.queue)
        let isUnknown = url.isSecure && protocols[host] == nil
        let (ticket, isGranted) = gate.enter(host, isUnknown: isUnknown)
        if !isGranted, !(await gate.admission(with: ticket)) { throw .cancelled }
        defer { gate.leave(ticket) }
        guard !Task.isCancelled else { throw .cancelled }
        let kind = url.isSecure ? protocols[host] : .oneByOne
        let seat = lanes.enter(
            host, LaneChoice.Moving(toHost: gate.moving(to: ticket), inAll: gate.moving),
            connected: kind?.connectedThread)
        defer { lanes.leave(seat) }
        let movement = movement(of: ticket, to: url, kind, on: seat.lane)
        let report = await lanes.run(
            transfer(download, to: url, kind, pin, dns, movement, for: errand), in: seat)
        note(report, of: download, from: url, for: errand)
        verdict = download.isHostWell
        if let failure = report.failure { throw failure }
    }

    @inline(never)
    private func note(
        _ report: TransferReport, of download: Download, from url: JudgedURL, for errand: Errand
    ) {
        download.take(report)
        errand.trace.note(report.timing)
        observer(.transferred(report.timing))
        if url.isSecure { protocols.note(report.timing.protocolName, of: url.hostAndPort) }
    }

    /// - Parameters:
    ///   - host: of a secure URL.
    ///   - lane: that it is on.
    private func note(_ movement: TransferMovement, of ticket: HostLine.Ticket, to host: String?, on lane: Int) {
        if movement == .connected, let host { protocols.noteConnection(to: host, on: lane) }
        gate.note(movement, of: ticket)
    }

    /// - Returns: whether it is the one that finds out how the host is.
    private func ask(_ host: String, for purpose: Errand.Purpose) throws(MediaFailure) -> Bool {
        guard purpose == .medium else { return false }
        switch breaker.permission(for: host, at: now()) {
        case .open: return false
        case .probe: return true
        case .resting(let rest):
            throw MediaFailure(
                .hostResting,
                "the host has failed \(HostBreaker.failuresToRest) times running and is asked again in \(rest.words)")
        }
    }

    private func note(_ isWell: Bool?, of host: String, isProbe: Bool) {
        switch isWell {
        case true?: breaker.succeeded(host)
        case false?: breaker.failed(host, at: now(), jitter: .random(in: 0...1))
        case nil: if isProbe { breaker.abandoned(host) }
        }
    }

    private func addresses(
        of url: JudgedURL, for errand: Errand
    ) async throws(MediaFailure) -> (AddressPin, Duration) {
        errand.trace.enter(.dns)
        let start = MonotonicInstant.now
        let resolved = try await resolver.resolve(url.host)
        try errand.rules.policy.judge(resolved.addresses, for: url)
        let pin = AddressPin(
            host: url.host, port: url.port,
            addresses: Array(resolved.addresses.prefix(errand.rules.policy.limits.addresses)))
        return (pin, start.duration(to: .now))
    }

    /// - Parameter kind: what is known of the host's connections.
    @inline(never)
    private func transfer(
        _ download: Download, to url: JudgedURL, _ kind: HostProtocols.Kind?, _ pin: AddressPin?, _ dns: Duration?,
        _ movement: @escaping @Sendable (TransferMovement) -> Void, for errand: Errand
    ) -> TransferRequest {
        var timing = TransferTiming(origin: url.origin)
        timing.dns = dns
        let running = RunningTransfer(timing)
        errand.trace.begin(running)
        let isMedium = errand.purpose == .medium
        let shared: TransferRequest.Connection = kind?.isShared == true ? .shared : .any
        return TransferRequest(
            url.text, for: errand, method: download.request.method.rawValue,
            headers: errand.rules.policy.headers.fields(for: url) + download.fieldLines, body: download.request.body,
            pin: pin, file: download.begunFile, appetite: download.appetite,
            // Where a connection that was used before ends without an answer, libcurl asks again over another.
            connection: isMedium ? shared : .own,
            isAlone: isMedium && kind == .oneByOne, running: running, timing: timing,
            movement: movement,
            mayBeHedged: isMedium && download.offset == 0 && download.request.method == .get)
    }

    /// That it is connected is told where somebody may wait for it: elsewhere it would be a turn of this thread for nothing.
    private func movement(
        of ticket: HostLine.Ticket, to url: JudgedURL, _ kind: HostProtocols.Kind?, on lane: Int
    ) -> @Sendable (TransferMovement) -> Void {
        let client = LoopBound(self, on: loop)
        let secureHost = url.isSecure ? url.hostAndPort : nil
        let isScout = kind == nil || gate.isScouted(by: ticket)
        return { movement in
            guard movement != .connected || isScout else { return }
            client.tell { $0.note(movement, of: ticket, to: secureHost, on: lane) }
        }
    }
}

extension HostLine.Limits {
    init(_ limits: FetchLimits) {
        self.init(
            total: limits.connections, perHost: limits.connectionsPerHost, standing: limits.standing,
            standingPerHost: limits.standingPerHost)
    }
}

extension HostProtocols.Kind {
    fileprivate var connectedThread: Int? { if case .connected(let thread) = self { thread } else { nil } }
    fileprivate var isShared: Bool { self == .multiplexed || connectedThread != nil }
}

extension Duration {
    /// `3.2 s`.
    fileprivate var words: String { "\((seconds * 10).rounded(.up) / 10) s" }
}
