package import Base
package import HTTPCaching
package import LinuxIO
package import NotificationModel

/// The media fetcher: it downloads media over HTTP with libcurl, before a deadline. Simultaneous requests of one URL
/// share one download.
///
/// The fetcher takes a URL from a payload, with a deadline and a closure that creates files. It returns a file with the
/// bytes of the body and the facts of the response, or a failure with its reason.
///
///     fetch ─► FetchCoalescer  one fetch for all requests of a URL; each request has a deadline and can be cancelled
///                └─► FetchTask  one hop per redirect: the policy validates it, the cache reuses, validates or forwards
///                      └─► OriginClient  circuit breaker, DNS, validation, permit, transfer, and retries
///                            └─► TransferThreads  libcurl's multi interface, on a few threads
///     forward ─► OriginClient, without the circuit breaker and without retries
///
/// Host names are resolved before libcurl runs, and their addresses are pinned. Each address is validated before a
/// socket to it is opened, and again when a connection is reused. A changed DNS answer therefore cannot redirect a
/// transfer to a private address. Bytes are counted as they arrive, after decoding.
///
/// The bytes of a `data:` URL are written to a file, without any request.
///
/// The fetcher refuses URLs that are not absolute http(s) URLs or have credentials, and addresses that are not public.
/// It refuses ports other than 80 and 443, unless the policy allows them. It also refuses redirects from https to http,
/// unsuccessful responses and bodies that are too long.
///
/// If the calling task is cancelled, `fetch` returns at once. The transfer is cancelled when no waiter is left. A
/// transfer runs on the thread of its host. All other code runs on one owned thread (`agd-curl`), which may also run
/// transfers. The disk work of the cache runs on the thread of the store.
///
/// To add a new rule of the fetch policy, do this: write it in `FetchPolicy+Validation.swift` for URLs and hosts, or in
/// ``AddressPolicy`` for addresses and ports. A new limit is a property of `FetchLimits` with its default, which the
/// type that counts compares, such as ``TransferState``. If operators may set the limit, it also has a key in
/// `ConfigurationSection+Media.swift`.
package final class HTTPMediaFetcher: MediaFetching {
    /// The network's thread, which other parts may share.
    package let loop: EventLoop
    private let threads: LoopConfined<TransferThreads>
    private let client: LoopConfined<OriginClient>
    private let coalescer: LoopConfined<FetchCoalescer>
    private let store: (any ResponseStoring)?
    private let ownResolver: NameResolver?
    private let current: Guarded<FetchRules>
    /// The hosts whose circuit breaker is open, and which therefore get no transfers until the end of a pause.
    package let resting = CooldownTable()
    private let validations = CurrentValue(0)

    /// The executor of the network's thread. A task that mainly fetches runs there without changes of threads.
    package var executor: any TaskExecutor { loop.tasks }

    /// Starts the threads of the fetcher. Without a resolver, the fetcher creates one that asks the name servers of the
    /// machine. Without a store, there is no cache. The clock is for cached failures and for certificate files.
    package init(
        policy: FetchPolicy, resolver: (any NameResolving)? = nil, store: (any ResponseStoring)? = nil,
        userAgent: String, now: @escaping @Sendable () -> MonotonicInstant = { .now },
        observer: @escaping @Sendable (FetchEvent) -> Void = { _ in }
    ) throws(MediaFailure) {
        do throws(SystemError) { loop = try EventLoop.start(name: "agd-curl") } catch {
            throw MediaFailure(.internal, "the network's thread cannot be started: \(error)")
        }
        let threads: TransferThreads
        do throws(MediaFailure) {
            let certificates = CAStoreCache(now: now, warn: { observer(.certificatesUnreadable($0)) })
            threads = try TransferThreads(loop: loop, userAgent: userAgent, certificates: certificates)
            ownResolver = resolver == nil ? try NameResolver(loop: loop, settings: policy.resolver) : nil
        } catch {
            loop.shutdown()
            throw error
        }
        guard let resolver = resolver ?? ownResolver else { preconditionFailure("the fetcher has no name resolver") }
        self.threads = LoopConfined(threads, on: loop)
        client = LoopConfined(
            OriginClient(
                loop: loop, threads: threads, resolver: resolver, limits: policy.limits, resting: resting, now: now,
                observer: observer),
            on: loop)
        coalescer = LoopConfined(
            FetchCoalescer(loop: loop, client: client, store: store, validations: validations, now: now), on: loop)
        self.store = store
        current = Guarded(FetchRules(policy, version: 0))
    }

    /// The number of validations of stale responses that are running.
    package var validationCount: Int { validations.value }

    private var rules: FetchRules { current.withLock { $0 } }

    /// Changes the policy of all later fetches. Running fetches keep their policy. Malformed addresses of name servers
    /// are ignored, and the resolver then keeps its current addresses.
    package func change(_ policy: FetchPolicy) {
        current.withLock { $0 = FetchRules(policy, version: $0.version + 1) }
        loop.execute { [client, ownResolver] in
            client.value.change(policy.limits)
            ownResolver?.assumeIsolated { try? $0.change(policy.resolver) }
        }
    }

    /// Makes all later requests start new fetches, instead of joining the running ones.
    package func startAnew() { current.withLock { $0 = FetchRules($0.policy, version: $0.version + 1) } }

    /// Removes the cached failures of all URLs.
    package func forgetFailures() { loop.execute { [coalescer] in coalescer.value.forgetFailures() } }

    /// Ends all fetches and joins the threads. The caller must call this function once, after its last `forward`.
    package func shutdown() async {
        let otherLoops = await Task(executorPreference: loop.tasks) { [client, coalescer, threads] in
            client.value.cooldowns.change(isOn: false)
            await coalescer.value.shutdown()
            return threads.value.shutdown()
        }.value
        for loop in otherLoops { loop.shutdown() }
        await ownResolver?.shutdown()
        loop.shutdown()
    }

    package func fetch(_ request: FetchRequest) async -> Result<FetchedMedia, MediaFailure> {
        defer { request.trace.leave() }
        guard !Task.isCancelled else { return .failure(.cancelled) }
        let rules = self.rules
        let limits = rules.policy.limits
        if InlineMedia.isReference(request.url) { return InlineFetch(request: request, limits: limits).result() }
        if let refusal = limits.refusal(of: request.declared) { return .failure(refusal) }
        return await coalescer.answer { coalescer, id, waiter in
            coalescer.join(id, request, rules, waiter)
        } giveUp: { coalescer, id in
            coalescer.leave(id, .cancelled)
        }
    }

    package func part(
        of arriving: ArrivingMedia, until deadline: MonotonicInstant,
        makeFile: @escaping @Sendable () throws(MediaFailure) -> MediaFile
    ) async -> FetchedMedia? {
        let rules = self.rules
        guard let part = PartialBody.largest(of: arriving) else { return nil }
        guard let index = part.missingIndex else { return part.media }
        guard index.firstMissing < rules.policy.limits.largest, let version = part.body.version else { return nil }
        return await part.body.completed {
            Task(executorPreference: loop.tasks) { [loop, client] in
                var request = FetchRequest(
                    url: part.body.url, deadline: deadline, trace: StageTrace(), makeFile: makeFile)
                request.group = part.body.group
                let context = FetchContext(
                    request, rules, bodyMode: .tail(from: index.firstMissing, of: version))
                let tail = Task(executorPreference: loop.tasks) {
                    await FetchTask(context, client: client, cache: nil).run()
                }
                guard case .success(let media) = await loop.value(of: tail, until: deadline) else { return nil }
                return part.joined(with: media, as: index, in: try? makeFile())
            }
        }
    }

    package func waitForCooldown(of host: String, until deadline: MonotonicInstant) async -> Bool {
        guard !Task.isCancelled else { return false }
        return await client.answer { client, id, waiter in
            client.cooldowns.wait(id, for: host, until: deadline, waiter)
        } giveUp: { client, id in
            client.cooldowns.leave(id, host)
        }
    }

    package func wouldDownload(_ url: String, for group: AppGroupName?) async -> Bool {
        let rules = self.rules
        let group = rules.policy.headers.scope(of: group)
        guard !InlineMedia.isReference(url), let target = try? rules.policy.validate(url) else { return false }
        let isKnown = await coalescer.answer { coalescer, _, waiter in
            waiter.resume(returning: coalescer.isKnown(url, for: group, rules))
        } giveUp: { _, _ in
        }
        guard !isKnown else { return false }
        return await store?.responses(for: rules.policy.cacheKey(of: target, for: group)).isEmpty ?? true
    }

    /// Sends a request of any method to its origin once, without the cache. A response of any status is a success.
    ///
    /// The URL and the addresses are validated like those of media. The header fields and the body come from the
    /// caller. The response body is not decoded, and is refused if it has more than `largest` bytes. Redirects are not
    /// followed, and no request is repeated or coalesced. The circuit breaker is ignored. `failure` of the response
    /// shows whether the body is complete.
    ///
    /// - Parameter time: The maximum time of the transfer after it has its permit, so that other transfers to the host
    ///   do not shorten it; `nil` if only the deadline limits it.
    /// - Parameter policy: The policy of the request; `nil` for the policy of media.
    package func forward(
        _ request: OriginRequest, until deadline: MonotonicInstant, within time: Duration? = nil, largest: Int,
        isMessage: Bool = false, under policy: FetchPolicy? = nil,
        makeFile: @escaping @Sendable () throws(MediaFailure) -> MediaFile
    ) async -> Result<OriginResponse, MediaFailure> {
        var (rules, client) = (self.rules, self.client)
        if let policy { rules = FetchRules(policy, version: rules.version) }
        let target: ValidatedURL
        do throws(MediaFailure) { target = try rules.policy.validate(request.url) } catch { return .failure(error) }
        let context = FetchContext(
            FetchRequest(url: request.url, deadline: deadline, trace: StageTrace(), makeFile: makeFile), rules,
            bodyMode: isMessage ? .answer(largest) : .raw(largest))
        return await withTaskExecutorPreference(loop.tasks) {
            await client.value.forward(request, to: target, for: context, until: deadline, within: time)
        }
    }
}

/// An event that the fetcher reports to its observer, on one of the network's threads.
package enum FetchEvent: Sendable, Equatable {
    /// A request to an origin has ended.
    case transferred(TransferTiming)
    /// A certificate file cannot be read. The value is the reason, as a sentence.
    case certificatesUnreadable(String)
    /// The circuit breaker of a host has opened. The host gets no transfers for at least this time.
    case hostResting(String, Duration)
    /// A transfer to a host whose circuit breaker was open has succeeded.
    case hostRecovered(String)
    /// The egress proxy has not opened a tunnel for a request.
    case tunnelFailed(ProxyFailure.Cause)
    /// The egress proxy has stopped serving requests. The values are its host and port, and the reason as a sentence.
    case proxyFails(String, String)
    /// The egress proxy serves requests again. The value is its host and port.
    case proxyRecovered(String)
}

extension MediaFailure {
    static let shutDown = MediaFailure(.cancelled, "the fetcher was shut down")
}
