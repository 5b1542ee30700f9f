import Base
import HTTPCaching
import HTTPTypes
import LinuxIO
import NotificationModel

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
    let queue: FairHostQueue
    var waiters: [FairHostQueue.Permit: Waiter<Void>] = [:]
    private let clock: EventLoopClock
    /// The clock with which the floods in `ProtocolCache` expire.
    private let now: @Sendable () -> MonotonicInstant
    let cooldowns: HostCooldowns
    var protocols = ProtocolCache()
    private var proxyHealth = ProxyHealth()
    private var retries: RetryPolicy
    private let observer: @Sendable (FetchEvent) -> Void

    init(
        loop: EventLoop, threads: TransferThreads, resolver: any NameResolving, limits: FetchLimits,
        resting: CooldownTable, now: @escaping @Sendable () -> MonotonicInstant,
        observer: @escaping @Sendable (FetchEvent) -> Void
    ) {
        self.loop = loop
        self.observer = observer
        self.threads = threads
        self.resolver = resolver
        queue = FairHostQueue(limits: FairHostQueue.Limits(limits))
        clock = EventLoopClock(on: loop)
        self.now = now
        retries = RetryPolicy(firstPause: limits.retryPause)
        cooldowns = HostCooldowns(
            loop: loop, isOn: limits.circuitBreaker, table: resting, now: now, observer: observer)
        threads.change(limits)
    }

    func change(_ limits: FetchLimits) {
        admit(queue.change(FairHostQueue.Limits(limits)))
        threads.change(limits)
        retries = RetryPolicy(firstPause: limits.retryPause)
        cooldowns.change(isOn: limits.circuitBreaker)
    }

    /// Adds a waiting request with a rank to a fetch, and raises the fetch's permit if necessary.
    func raise(_ context: FetchContext, to rank: Int) {
        if let permit = context.join(rank: rank) { queue.raise(permit, to: rank) }
    }

    /// Sends a request for a media item, and repeats it while a repetition may succeed. Returns the response with any
    /// status. If its body broke off and its rest can be requested, the response has the received part and the failure.
    func send(
        _ request: OriginRequest, to url: ValidatedURL, for context: FetchContext
    ) async -> Result<OriginResponse, MediaFailure> {
        let fetch = OriginFetch(request, to: url, for: context)
        while begin(fetch) {
            await run(fetch)
            end(fetch)
            guard let pause = pause(after: fetch) else { break }
            context.listeners.enter(.queue)
            await clock.sleep(until: .now + pause)
            if Task.isCancelled { break }
        }
        if fetch.hasHostFailed { cooldowns.failed(url.hostAndPort, item: url.text.hashValue) }
        return Task.isCancelled ? fetch.abandoned : fetch.result
    }

    /// Sends a request for a media item, and cancels it after `time`.
    func send(
        _ request: OriginRequest, to url: ValidatedURL, for context: FetchContext, within time: Duration
    ) async -> Result<OriginResponse, MediaFailure> {
        let client = LoopConfined(self, on: loop)
        let task = Task(executorPreference: loop.tasks) { await client.value.send(request, to: url, for: context) }
        return await result(of: task, until: .now + time, "the origin did not answer in half of the remaining time")
    }

    /// Sends a request once for another program. The circuit breaker is ignored, and a response of any status is
    /// returned with its body as on the wire, even if it broke off.
    ///
    /// - Parameter time: The maximum time of the transfer after it has its permit; `nil` if only the deadline limits it.
    func forward(
        _ request: OriginRequest, to url: ValidatedURL, for context: FetchContext, until deadline: MonotonicInstant,
        within time: Duration?
    ) async -> Result<OriginResponse, MediaFailure> {
        let client = LoopConfined(self, on: loop)
        let task = Task(executorPreference: loop.tasks) {
            let fetch = LoopConfined(OriginFetch(request, to: url, for: context), on: client.loop)
            fetch.value.number = 1
            let result = await client.value.forward(fetch, until: deadline, within: time)
            client.value.releasePermit(of: fetch.value)
            return result
        }
        return await result(of: task, until: deadline, Self.late)
    }

    private static let late = "the budget ended before the origin had answered"

    private func forward(
        _ fetch: LoopConfined<OriginFetch>, until deadline: MonotonicInstant, within time: Duration?
    ) async -> Result<OriginResponse, MediaFailure> {
        guard await prepare(fetch.value) else { return fetch.value.result }
        let client = LoopConfined(self, on: loop)
        let task = Task(executorPreference: loop.tasks) {
            await client.value.transfer(fetch.value)
            // libcurl does not accept the headers of the answer. The server recognises the repetition by its id.
            if fetch.value.isLenient, !Task.isCancelled { await client.value.transfer(fetch.value) }
            return Task.isCancelled ? fetch.value.abandoned : fetch.value.result
        }
        return await result(of: task, until: time.map { MonotonicInstant.now + $0 } ?? deadline, Self.late)
    }

    /// Waits for a request, and cancels it at an instant. Its failure then has the reason `budgetExceeded`.
    private func result(
        of task: Task<Result<OriginResponse, MediaFailure>, Never>, until instant: MonotonicInstant, _ detail: String
    ) async -> Result<OriginResponse, MediaFailure> {
        let result = await loop.value(of: task, until: instant)
        let failure =
            switch result {
            case .success(let response): response.failure
            case .failure(let failure): failure
            }
        guard failure == .cancelled, !Task.isCancelled else { return result }
        return .failure(MediaFailure(.budgetExceeded, detail))
    }

    /// Runs one attempt: name resolution, permit and transfer. The results are stored in `fetch`.
    private func run(_ fetch: OriginFetch) async {
        if await prepare(fetch) { await transfer(fetch) }
    }

    /// Resolves the name and waits for a permit. Returns `false` after a failure, which is stored in `fetch`.
    private func prepare(_ fetch: OriginFetch) async -> Bool {
        let policy = fetch.context.rules.policy
        if fetch.url.address == nil, !policy.leavesNameToProxy(fetch.url), !(await resolve(fetch)) { return false }
        let proxy = policy.proxy(for: fetch.url, at: fetch.addresses)
        fetch.context.proxy = proxy?.words
        if let proxy, !(await find(proxy, for: fetch)) { return false }
        await waitForPermit(fetch)
        return true
    }

    private func transfer(_ fetch: OriginFetch) async {
        // The circuit breaker may have opened while this transfer waited for its permit.
        if Task.isCancelled {
            fetch.failure = .cancelled
        } else if !fetch.isForwarded, !fetch.isProbe, let cooldown = cooldowns.cooldown(of: fetch.url.hostAndPort) {
            fetch.failure = resting(cooldown, fetch)
        } else {
            note(await threads.run(transferRequest(of: fetch), to: fetch.url.hostAndPort), of: fetch)
        }
    }

    /// Starts an attempt; returns `false` if the circuit breaker of the host is open.
    private func begin(_ fetch: OriginFetch) -> Bool {
        fetch.number += 1
        switch cooldowns.permission(for: fetch.url.hostAndPort) {
        case .closed: fetch.beginAttempt(isProbe: false)
        case .halfOpen: fetch.beginAttempt(isProbe: true)
        case .open(let cooldown):
            // An attempt that did not begin must not replace the failure of an earlier attempt.
            let failure = resting(cooldown, fetch)
            if fetch.number == 1 { fetch.failure = failure }
            return false
        }
        return true
    }

    /// Ends an attempt, and records the success or failure of its host. A media item is recorded once, after its last
    /// attempt. A test of a host is recorded at once, because other requests wait for it, and always, because the
    /// circuit breaker would otherwise never close.
    private func end(_ fetch: OriginFetch) {
        releasePermit(of: fetch)
        let host = fetch.url.hostAndPort
        let isTest = fetch.isProbe && cooldowns.isTested(host)
        switch isWarming(fetch) && fetch.isAskedToSlowDown ? nil : fetch.hostSucceeded {
        case true?:
            fetch.hasHostFailed = false
            cooldowns.succeeded(host)
        case false?: if isTest { cooldowns.probeFailed(host) } else { fetch.hasHostFailed = true }
        case nil: if isTest { cooldowns.abandoned(host) }
        }
    }

    private func isWarming(_ fetch: OriginFetch) -> Bool { fetch.context.rank == MediaRank.warming }

    /// Returns the pause before the next attempt; `nil` if there is no next attempt.
    private func pause(after fetch: OriginFetch) -> Duration? {
        guard !fetch.isThere, !Task.isCancelled else { return nil }
        // A cache warm-up continues with other hosts, and asks this host again later.
        if isWarming(fetch), fetch.isAskedToSlowDown { return nil }
        let decision = retries.decide(fetch.attempt, remaining: fetch.context.remaining(), jitter: .random(in: 0...1))
        guard case .again(let pause, let offset) = decision else { return nil }
        fetch.offset = offset
        return pause
    }

    // MARK: The steps of an attempt

    /// Resolves the host name and validates its addresses. Returns whether the host has an address that may be used.
    private func resolve(_ fetch: OriginFetch) async -> Bool {
        let (url, rules) = (fetch.url, fetch.context.rules)
        fetch.context.listeners.enter(.dns)
        let start = MonotonicInstant.now
        do throws(MediaFailure) {
            let addresses = try await resolver.resolve(url.host).addresses
            try rules.policy.validate(addresses, for: url)
            fetch.pin = AddressPin(
                host: url.host, port: url.port, addresses: Array(addresses.prefix(rules.policy.limits.addresses)))
            fetch.dns = start.duration(to: .now)
            return true
        } catch {
            fetch.rememberedName = await resolver.rememberedFailure(of: url.host)
            // A failure that was cached before this attempt does not show that the host still fails.
            let isOld = fetch.rememberedName.map { $0.age > start.duration(to: .now) } ?? false
            if error.reason == .dnsFailed, !isOld { fetch.hostSucceeded = false }
            fetch.failure = rules.policy.proxy == nil ? error : error.ofHostBehindProxy
            return false
        }
    }

    /// Resolves the name of the proxy. Its addresses are not validated, because the operator configures the proxy.
    /// Returns whether the proxy has an address.
    private func find(_ proxy: ProxyEndpoint, for fetch: OriginFetch) async -> Bool {
        var addresses = proxy.address.map { [$0] } ?? []
        if addresses.isEmpty {
            fetch.context.listeners.enter(.dns)
            do throws(MediaFailure) { addresses = try await resolver.resolve(proxy.host).addresses } catch {
                let failure = error.ofName(of: proxy)
                fetch.rememberedName = await resolver.rememberedFailure(of: proxy.host)
                fetch.failure = failure
                if error.reason == .dnsFailed { note(ProxyFailure(), failure.detail, of: proxy) }
                return false
            }
        }
        fetch.tunnel = Tunnel(
            proxy: proxy, proxyAddresses: Array(addresses.prefix(fetch.context.rules.policy.limits.addresses)),
            target: Tunnel.target(ofAttempt: fetch.number, among: fetch.addresses), origin: fetch.url.hostAndPort)
        return true
    }

    private func note(_ failure: ProxyFailure?, _ detail: String, of proxy: ProxyEndpoint) {
        if let failure { observer(.tunnelFailed(failure.cause)) }
        if let event = proxyHealth.note(failure, detail, of: proxy) { observer(event) }
    }

    private func allowsHTTP2(_ url: ValidatedURL) -> Bool {
        url.isSecure && protocols.allowsHTTP2(url.hostAndPort, at: now())
    }

    /// Returns the known kind of connections to a host; `nil` if it is not known yet.
    func kind(of url: ValidatedURL) -> ProtocolCache.Kind? { allowsHTTP2(url) ? protocols[url.hostAndPort] : .http1 }

    private func note(_ report: TransferReport, of fetch: OriginFetch) {
        fetch.take(report)
        let host = fetch.url.hostAndPort
        if let tunnel = fetch.tunnel, let failure = report.failure {
            fetch.failure = tunnel.naming(failure)
            // The proxy may have lost the connection, so this shows nothing about the host.
            if fetch.hostSucceeded == false { fetch.hostSucceeded = nil }
        }
        fetch.context.listeners.note(report.timing)
        observer(.transferred(report.timing))
        if let proxy = fetch.tunnel?.proxy, report.head != nil || report.proxyFailure != nil {
            note(report.proxyFailure, report.failure?.detail ?? "", of: proxy)
        }
        if let name = Self.laboratory, report.head?.value(of: name) != nil, fetch.isOnLoopback {
            cooldowns.noteLaboratory(host)
        }
        guard fetch.url.isSecure else { return }
        protocols.note(report.timing.protocolName, of: host)
        if report.isFlooded { protocols.noteFlood(of: host, at: now()) }
        // If a host fails before its first connection, the waiting transfers no longer wait for that connection.
        if let failure = report.failure, failure.reason != .cancelled { protocols.noteConnection(to: host) }
        if let permit = fetch.permit, let kind = kind(of: fetch.url) {
            admit(queue.setMost(kind.maxTransfers, of: permit))
        }
    }

    /// Returns the failure for a host whose circuit breaker is open. The function records the host for the listeners,
    /// so that the requests can wait for it.
    private func resting(_ cooldown: Duration, _ fetch: OriginFetch) -> MediaFailure {
        fetch.context.listeners.noteResting(at: fetch.url.hostAndPort)
        let again =
            cooldown > .zero
            ? "in \((cooldown.seconds * 10).rounded(.up) / 10) s" : "when the transfer that tests it has succeeded"
        return MediaFailure(
            .hostResting,
            "\(CircuitBreaker.failuresToOpen) media of the host have failed in a row, and it is asked again \(again)")
    }

    private func transferRequest(of fetch: OriginFetch) -> TransferRequest {
        let (url, context) = (fetch.url, fetch.context)
        let kind = kind(of: url)
        let isMediaItem = !fetch.isForwarded
        let shared: TransferRequest.Connection = kind == .multiplexed ? .multiplexed : .any
        let request = TransferRequest(
            url, for: context, method: fetch.request.method.rawValue,
            headers: context.rules.policy.headers.fields(for: url, for: context.group) + fetch.fieldLines,
            body: fetch.request.body,
            pin: fetch.tunnel.map(\.pin) ?? fetch.pin, tunnel: fetch.tunnel, file: fetch.begunFile,
            bodyMode: fetch.bodyMode,
            // If a reused connection ends without a response, libcurl repeats the request over another connection.
            // Requests for media may be repeated, and others only if their callers permit it.
            connection: isMediaItem || fetch.request.mayBeRepeated ? shared : .dedicated,
            isAlone: isMediaItem && kind == .http1, allowsHTTP2: allowsHTTP2(url) && !fetch.isLenient,
            isLenient: fetch.isLenient, dns: fetch.dns, movement: movement(of: fetch),
            mayBeHedged: isMediaItem && !fetch.isLenient && fetch.offset == 0 && fetch.request.method == .get)
        if let running = request.running { context.listeners.begin(running) }
        return request
    }
}
