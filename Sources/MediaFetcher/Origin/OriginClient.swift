import FoundationEssentials
import HTTPCaching
import HTTPTypes
import LinuxIO
import NameResolution
import NotificationModel
import Primitives

/// The client of the origins. The client sends a request through the circuit breaker, the name resolution, the queue
/// and the transfer, and repeats it while a repetition may succeed. It never waits for a host whose circuit breaker is
/// open. A fetch that needs such a host ends, and its requests wait without a permit.
///
/// The client takes a request to a validated URL. It returns the response of the origin with any status, or the reason
/// why no response arrived. The client refuses addresses that the policy forbids. For media, it also refuses hosts
/// whose circuit breaker is open. A request ends when the task that called `send` is cancelled. `FetchCoalescer`
/// cancels this task after the last waiter has left. The client is used only on the network's thread. Transfers run on
/// `TransferThreads`.
final class OriginClient {
    /// The header field of all responses of `appgroupd lab serve`.
    private static let laboratory = HTTPField.Name("Appgroupd-Lab")

    let loop: EventLoop
    private let threads: TransferThreads
    private let resolver: any NameResolving
    let gate: HostConcurrencyLimiter
    private let clock: EventLoopClock
    /// The clock with which the floods in `ProtocolCache` expire.
    private let now: @Sendable () -> MonotonicInstant
    let restingHosts: RestingHosts
    var protocols = ProtocolCache()
    private var proxyHealth = ProxyHealth()
    private var retries: RetryPolicy
    private let observer: @Sendable (FetchEvent) -> Void

    init(
        loop: EventLoop, threads: TransferThreads, resolver: any NameResolving, limits: FetchLimits,
        resting: RestingHostTable, now: @escaping @Sendable () -> MonotonicInstant,
        observer: @escaping @Sendable (FetchEvent) -> Void
    ) {
        self.loop = loop
        self.observer = observer
        self.threads = threads
        self.resolver = resolver
        gate = HostConcurrencyLimiter(loop: loop, limits: FairHostQueue.Limits(limits))
        clock = EventLoopClock(on: loop)
        self.now = now
        retries = RetryPolicy(firstPause: limits.retryPause)
        restingHosts = RestingHosts(
            loop: loop, isOn: limits.circuitBreaker, table: resting, now: now, observer: observer)
        threads.change(limits)
    }

    func change(_ limits: FetchLimits) {
        gate.change(FairHostQueue.Limits(limits))
        threads.change(limits)
        retries = RetryPolicy(firstPause: limits.retryPause)
        restingHosts.change(isOn: limits.circuitBreaker)
    }

    /// Adds a waiting request with a rank to a fetch, and raises the fetch's permit if necessary.
    func raise(_ context: FetchContext, to rank: Int) {
        if let permit = context.join(rank: rank) { gate.raise(permit, to: rank) }
    }

    func send(_ request: OriginRequest, to url: ValidatedURL, for context: FetchContext) async -> OriginOutcome {
        await send(OriginFetch(request, for: context.mode), to: url, for: context)
    }

    /// Sends a request, and repeats it while a repetition may succeed.
    ///
    /// - Parameter download: a fetch that has not begun.
    func send(_ download: OriginFetch, to url: ValidatedURL, for context: FetchContext) async -> OriginOutcome {
        while let attempt = begin(download, at: url, for: context) {
            await run(attempt)
            end(attempt)
            guard let pause = pause(behind: download, for: context) else { break }
            context.trace.enter(.queue)
            await clock.sleep(until: .now + pause)
            if Task.isCancelled { break }
        }
        if download.hasHostFailed { restingHosts.failed(url.hostAndPort, item: url.text.hashValue) }
        return outcome(of: download)
    }

    /// Runs one attempt: name resolution, permit and transfer. The results are stored in `attempt.download`.
    private func run(_ attempt: Attempt) async {
        let policy = attempt.context.rules.policy
        if attempt.url.address == nil, !policy.leavesNameToProxy(attempt.url), !(await resolve(attempt)) { return }
        let proxy = policy.proxy(for: attempt.url, at: attempt.addresses)
        attempt.context.proxy = proxy?.words
        if let proxy, !(await find(proxy, for: attempt)) { return }
        if let permit = enterQueue(attempt), !(await gate.admission(with: permit)) { return cancel(attempt) }
        if Task.isCancelled { return cancel(attempt) }
        // The circuit breaker may have opened while this transfer waited for its permit.
        if attempt.context.mode == .media, !attempt.isProbe, let rest = restingHosts.rest(of: attempt.url.hostAndPort) {
            attempt.download.failure = resting(attempt.url.hostAndPort, rest, attempt.context)
            return
        }
        note(await threads.run(transfer(attempt), to: attempt.url.hostAndPort), of: attempt)
    }

    /// Starts an attempt; returns `nil` if the circuit breaker of the host is open.
    private func begin(_ download: OriginFetch, at url: ValidatedURL, for context: FetchContext) -> Attempt? {
        download.number += 1
        do throws(MediaFailure) {
            let isProbe = try ask(url.hostAndPort, for: context)
            (download.report, download.failure, download.rememberedName) = (nil, nil, nil)
            return Attempt(download, at: url, for: context, isProbe: isProbe)
        } catch {
            // An attempt that did not begin must not replace the failure of an earlier attempt.
            if download.number == 1 { download.failure = error }
            return nil
        }
    }

    /// Ends an attempt. A test of a host must always be reported, because the circuit breaker would otherwise never
    /// close.
    private func end(_ attempt: Attempt) {
        if let permit = attempt.permit { gate.leave(permit) }
        guard attempt.context.mode == .media else { return }
        let isForWarming = attempt.context.rank == MediaRank.warming
        note(
            isForWarming && attempt.download.isAskedToSlowDown ? nil : attempt.hostSucceeded, of: attempt)
    }

    /// Records the success or failure of an attempt. A media item is recorded once, after its last attempt. A test of a
    /// host is recorded at once, because other requests wait for it.
    private func note(_ succeeded: Bool?, of attempt: Attempt) {
        let (host, download) = (attempt.url.hostAndPort, attempt.download)
        let isTest = attempt.isProbe && restingHosts.isTested(host)
        switch succeeded {
        case true?:
            download.hasHostFailed = false
            restingHosts.succeeded(host)
        case false?: if isTest { restingHosts.probeFailed(host) } else { download.hasHostFailed = true }
        case nil: if isTest { restingHosts.abandoned(host) }
        }
    }

    private func cancel(_ attempt: Attempt) { attempt.download.failure = .cancelled }

    private func outcome(of download: OriginFetch) -> OriginOutcome {
        Task.isCancelled ? download.abandoned : download.outcome
    }

    /// Returns the pause before the next attempt; `nil` if there is no next attempt.
    private func pause(behind download: OriginFetch, for context: FetchContext) -> Duration? {
        guard context.mode == .media, !download.isThere, !Task.isCancelled else { return nil }
        // A cache warm-up continues with other hosts, and asks this host again later.
        if context.rank == MediaRank.warming, download.isAskedToSlowDown { return nil }
        let decision = retries.decide(
            download.attempt, remaining: context.remaining(), jitter: .random(in: 0...1))
        guard case .again(let pause, let offset) = decision else { return nil }
        download.offset = offset
        return pause
    }

    /// Sends a request, and cancels it after `time`.
    func send(
        _ request: OriginRequest, to url: ValidatedURL, for context: FetchContext, within time: Duration
    ) async -> OriginOutcome {
        let client = LoopConfined(self, on: loop)
        let task = Task(executorPreference: loop.tasks) { await client.value.send(request, to: url, for: context) }
        let outcome = await loop.value(of: task, until: .now + time)
        guard outcome.failure == .cancelled, !Task.isCancelled else { return outcome }
        return OriginOutcome(
            failure: MediaFailure(.budgetExceeded, "the origin did not answer in half of the remaining time"))
    }

    // MARK: The steps of an attempt

    /// Resolves the host name and validates its addresses.
    ///
    /// - Returns: whether the host has an address that may be used.
    private func resolve(_ attempt: Attempt) async -> Bool {
        attempt.context.trace.enter(.dns)
        let start = MonotonicInstant.now
        let answer: Result<ResolvedHost, MediaFailure>
        do throws(MediaFailure) { answer = .success(try await resolver.resolve(attempt.url.host)) } catch {
            answer = .failure(error)
            attempt.download.rememberedName = await resolver.rememberedFailure(of: attempt.url.host)
        }
        return take(answer, for: attempt, askedAt: start)
    }

    private func take(
        _ answer: Result<ResolvedHost, MediaFailure>, for attempt: Attempt, askedAt start: MonotonicInstant
    ) -> Bool {
        let (url, policy) = (attempt.url, attempt.context.rules.policy)
        do throws(MediaFailure) {
            let addresses = try answer.get().addresses
            try policy.validate(addresses, for: url)
            attempt.pin = AddressPin(
                host: url.host, port: url.port, addresses: Array(addresses.prefix(policy.limits.addresses)))
            attempt.dns = start.duration(to: .now)
            return true
        } catch {
            // A failure that was cached before this attempt does not show that the host still fails.
            let isOld = attempt.download.rememberedName.map { $0.age > start.duration(to: .now) } ?? false
            if error.reason == .dnsFailed, !isOld { attempt.hostSucceeded = false }
            attempt.download.failure = policy.proxy == nil ? error : error.ofHostBehindProxy
            return false
        }
    }

    /// Resolves the name of the proxy. Its addresses are not validated, because the operator configures the proxy.
    ///
    /// - Returns: whether the proxy has an address.
    private func find(_ proxy: ProxyEndpoint, for attempt: Attempt) async -> Bool {
        var addresses = proxy.address.map { [$0] } ?? []
        if addresses.isEmpty {
            attempt.context.trace.enter(.dns)
            do throws(MediaFailure) { addresses = try await resolver.resolve(proxy.host).addresses } catch {
                let failure = error.ofName(of: proxy)
                attempt.download.rememberedName = await resolver.rememberedFailure(of: proxy.host)
                attempt.download.failure = failure
                if error.reason == .dnsFailed { note(ProxyFailure(), failure.detail, of: proxy) }
                return false
            }
        }
        attempt.tunnel = Tunnel(
            proxy: proxy, proxyAddresses: Array(addresses.prefix(attempt.context.rules.policy.limits.addresses)),
            target: Tunnel.target(ofAttempt: attempt.download.number, among: attempt.addresses),
            origin: attempt.url.hostAndPort)
        return true
    }

    private func note(_ failure: ProxyFailure?, _ detail: String, of proxy: ProxyEndpoint) {
        if let failure { observer(.tunnelFailed(failure.cause)) }
        if let event = proxyHealth.note(failure, detail, of: proxy) { observer(event) }
    }

    /// Requests a permit for the transfer.
    ///
    /// - Returns: the permit to wait for; `nil` if it is granted at once.
    private func enterQueue(_ attempt: Attempt) -> FairHostQueue.Permit? {
        attempt.context.trace.enter(.queue)
        // The first transfer to an https host runs alone, because its connection may carry the other transfers too.
        let (permit, isGranted) = gate.enter(
            attempt.url.hostAndPort, rank: attempt.context.rank, most: kind(of: attempt.url)?.mostTransfers ?? 1)
        attempt.permit = permit
        attempt.context.enter(permit)
        return isGranted ? nil : permit
    }

    private func allowsHTTP2(_ url: ValidatedURL) -> Bool {
        url.isSecure && protocols.allowsHTTP2(url.hostAndPort, at: now())
    }

    /// Returns the known kind of connections to a host; `nil` if it is not known yet.
    func kind(of url: ValidatedURL) -> ProtocolCache.Kind? {
        allowsHTTP2(url) ? protocols[url.hostAndPort] : .http1
    }

    private func note(_ report: TransferReport, of attempt: Attempt) {
        let download = attempt.download
        download.take(report)
        download.failure = report.failure
        attempt.hostSucceeded = download.hostSucceeded
        if let tunnel = attempt.tunnel, let failure = report.failure {
            download.failure = tunnel.naming(failure)
            // The proxy may have lost the connection, so this shows nothing about the host.
            if attempt.hostSucceeded == false { attempt.hostSucceeded = nil }
        }
        attempt.context.trace.note(report.timing)
        observer(.transferred(report.timing))
        if let proxy = attempt.tunnel?.proxy, report.head != nil || report.proxyFailure != nil {
            note(report.proxyFailure, report.failure?.detail ?? "", of: proxy)
        }
        if let name = Self.laboratory, report.head?.value(of: name) != nil, attempt.isOnLoopback {
            restingHosts.noteLaboratory(attempt.url.hostAndPort)
        }
        guard attempt.url.isSecure else { return }
        protocols.note(report.timing.protocolName, of: attempt.url.hostAndPort)
        if report.isFlooded { protocols.noteFlood(of: attempt.url.hostAndPort, at: now()) }
        // If a host fails before its first connection, the waiting transfers no longer wait for that connection.
        if let failure = report.failure, failure.reason != .cancelled {
            protocols.noteConnection(to: attempt.url.hostAndPort)
        }
        if let permit = attempt.permit, let kind = kind(of: attempt.url) {
            gate.setMost(kind.mostTransfers, of: permit)
        }
    }

    /// Asks the circuit breaker for a transfer.
    ///
    /// - Returns: whether the transfer tests the host.
    private func ask(_ host: String, for context: FetchContext) throws(MediaFailure) -> Bool {
        guard context.mode == .media else { return false }
        switch restingHosts.permission(for: host) {
        case .closed: return false
        case .halfOpen: return true
        case .open(let rest): throw resting(host, rest, context)
        }
    }

    /// Returns the failure for a host whose circuit breaker is open. The function records the host in the trace, so
    /// that the requests can wait for it.
    private func resting(_ host: String, _ rest: Duration, _ context: FetchContext) -> MediaFailure {
        context.trace.noteResting(at: host)
        let again = rest > .zero ? "in \(rest.words)" : "when the transfer that tests it has succeeded"
        return MediaFailure(
            .hostResting,
            "\(CircuitBreaker.failuresToOpen) media of the host have failed in a row, and it is asked again \(again)")
    }

    private func transfer(_ attempt: Attempt) -> TransferRequest {
        let (download, url, context) = (attempt.download, attempt.url, attempt.context)
        let kind = kind(of: url)
        var timing = TransferTiming(origin: url.origin)
        timing.dns = attempt.dns
        let running = LiveTransferTiming(timing)
        context.trace.begin(running)
        let isMediaItem = context.mode == .media
        let shared: TransferRequest.Connection = kind == .multiplexed ? .multiplexed : .any
        return TransferRequest(
            url.text, for: context, method: download.request.method.rawValue,
            trust: context.rules.policy.trusts.trust(in: url),
            headers: context.rules.policy.headers.fields(for: url) + download.fieldLines, body: download.request.body,
            pin: attempt.tunnel.map(\.pin) ?? attempt.pin, tunnel: attempt.tunnel, file: download.begunFile,
            bodyMode: download.bodyMode,
            // If a reused connection ends without a response, libcurl repeats the request over another connection. Only
            // requests for media may be repeated.
            connection: isMediaItem ? shared : .dedicated,
            isAlone: isMediaItem && kind == .http1, allowsHTTP2: allowsHTTP2(url) && !download.isLenient,
            isLenient: download.isLenient, running: running, timing: timing,
            movement: movement(of: attempt),
            mayBeHedged: isMediaItem && !download.isLenient && download.offset == 0 && download.request.method == .get)
    }
}

extension Duration {
    /// The duration in seconds with one decimal, for example `3.2 s`.
    fileprivate var words: String { "\((seconds * 10).rounded(.up) / 10) s" }
}
