package import HTTPCaching
import LinuxIO
package import NameResolution
package import NotificationModel

/// Downloads media over HTTP with libcurl, and keeps its promises: in time, once for many, from nobody inside.
///
/// What comes in: a URL as a payload wrote it, a deadline, and who makes files. What goes out: a file with the body's
/// bytes and what the origin said of them, or the reason why not.
///
///     fetch ─► FetchCoalescer  one flight for all who want the same, each with a deadline and a cancel of its own
///                └─► FetchTask  hop by hop: the policy judges, the cache answers or …
///                      └─► OriginClient  breaker, name, judgement, turn, transfer, and again where it is worth it
///                            └─► TransferThreads  libcurl's multi interface, on a few threads
///     exchange ─► ProxyExchanges ─► ProxyExchange ─► OriginClient, once
///
/// Names are resolved before libcurl and pinned; each address is judged before a socket to it is opened, and again when
/// a connection is used a second time, so that nobody's DNS can change its mind in between. Bytes are counted as they
/// arrive, after decoding.
///
/// A `data:` URL of a payload has its bytes with it: they are written to a file, and nobody is asked.
///
/// Refused: URLs that are not absolute http(s) or carry credentials, addresses that are not public, ports other than 80
/// and 443 (unless allowed), a redirect from https to http, answers that are not a success, bodies that are too long.
/// Cancelling the calling task leaves at once; the last to leave ends the transfer. All but transfers runs on one owned
/// thread (`agd-curl`); a transfer runs on the thread of its host, which may be the same; the cache's disk work runs on
/// the store's own.
package struct HTTPMediaFetcher: MediaFetching {
    private let loop: EventLoop
    private let threads: LoopConfined<TransferThreads>
    private let client: LoopConfined<OriginClient>
    private let coalescer: LoopConfined<FetchCoalescer>
    private let exchanges: ProxyExchanges
    private let store: (any ResponseStoring)?
    private let revalidations: LoopConfined<BackgroundRevalidator>
    private let ownResolver: NameResolver?
    private let current: CurrentPolicy
    /// The hosts that get no transfers for a while.
    package let resting = RestingHostTable()

    /// The thread of the network, for tasks that do little but fetch: they change no threads to do it.
    package var executor: any TaskExecutor { loop.tasks }

    /// - Parameters:
    ///   - resolver: finds the addresses of hosts; the machine's own name servers are asked where it is `nil`.
    ///   - store: where responses are kept; `nil`: nowhere.
    ///   - now: the time by which failures of hosts and URLs are remembered, and certificates looked after.
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
            let certificates = CAStoreCache(now: now, complain: { observer(.certificatesUnreadable($0)) })
            threads = try TransferThreads(loop: loop, userAgent: userAgent, certificates: certificates)
            ownResolver = resolver == nil ? try NameResolver(loop: loop, settings: policy.resolver) : nil
        } catch {
            loop.shutdown()
            throw error
        }
        guard let resolver = resolver ?? ownResolver else { preconditionFailure("one of both is there") }
        self.threads = LoopConfined(threads, on: loop)
        client = LoopConfined(
            OriginClient(
                loop: loop, threads: threads, resolver: resolver, limits: policy.limits, resting: resting, now: now,
                observer: observer),
            on: loop)
        revalidations = LoopConfined(BackgroundRevalidator(loop: loop, client: client), on: loop)
        coalescer = LoopConfined(
            FetchCoalescer(loop: loop, client: client, store: store, revalidations: revalidations, now: now),
            on: loop)
        self.store = store
        exchanges = ProxyExchanges(loop: loop, client: client, store: store, revalidations: revalidations)
        current = CurrentPolicy(policy)
    }

    /// Changes what the fetches from now on keep to. Those under way keep to what they began with.
    /// Name servers that are none leave those that there were.
    package func change(_ policy: FetchPolicy) {
        current.change(policy)
        loop.execute { [client, ownResolver] in
            client.value.change(policy.limits)
            ownResolver?.assumeIsolated { $0.changeIfUsable(policy.resolver) }
        }
    }

    /// Lets no fetch from now on join one that is under way.
    package func startAnew() { current.renew() }

    /// Forgets which URLs have failed lately.
    package func forgetFailures() {
        loop.execute { [coalescer] in coalescer.value.forgetFailures() }
    }

    /// Ends what still runs and joins the threads. Called once.
    package func shutdown() async {
        await exchanges.shutdown()
        let otherLoops = await Task(executorPreference: loop.tasks) { [client, coalescer, revalidations, threads] in
            client.value.rests.change(isOn: false)
            await coalescer.value.shutdown()
            await revalidations.value.shutdown()
            return threads.value.shutdown()
        }.value
        for loop in otherLoops { loop.shutdown() }
        await ownResolver?.shutdown()
        loop.shutdown()
    }

    package func fetch(_ request: FetchRequest) async -> Result<FetchedMedia, MediaFailure> {
        defer { request.trace.leave() }
        guard !Task.isCancelled else { return .failure(.cancelled) }
        let limits = current.rules.policy.limits
        if InlineMedia.isReference(request.url) { return InlineFetch(request, limits).result() }
        if let refusal = limits.refusal(of: request.declared) { return .failure(refusal) }
        return await coalescer.answer { [rules = current.rules] coalescer, id, promise in
            coalescer.join(id, request, rules, promise)
        } giveUp: { coalescer, id in
            coalescer.leave(id, .cancelled)
        }
    }

    package func part(
        of arriving: ArrivingMedia, until deadline: MonotonicInstant,
        makeFile: @escaping @Sendable () throws(MediaFailure) -> MediaFile
    ) async -> FetchedMedia? {
        let rules = current.rules
        guard let part = PartialBody.largest(of: arriving) else { return nil }
        guard let index = part.missingIndex else { return part.media }
        guard index.firstMissing < rules.policy.limits.largest, let version = part.body.version else { return nil }
        return await part.body.completed {
            Task(executorPreference: loop.tasks) { [loop, client] in
                let errand = FetchContext(
                    rules: rules, remaining: { MonotonicInstant.now.duration(to: deadline) }, makeFile: makeFile)
                let tail = Task(executorPreference: loop.tasks) {
                    await FetchTask(
                        url: part.body.url, only: .init(firstByte: index.firstMissing, version: version),
                        errand: errand, client: client, cache: nil
                    ).run().result
                }
                guard case .success(let media) = await loop.value(of: tail, until: deadline) else { return nil }
                return part.joined(with: media, as: index, in: try? makeFile())
            }
        }
    }

    package func waitForRest(of host: String, until deadline: MonotonicInstant) async -> Bool {
        guard !Task.isCancelled else { return false }
        return await client.answer { client, id, promise in
            client.rests.wait(id, for: host, until: deadline, promise)
        } giveUp: { client, id in
            client.rests.leave(id, host)
        }
    }

    package func wouldDownload(_ url: String) async -> Bool {
        let rules = current.rules
        guard !InlineMedia.isReference(url), let target = try? rules.policy.validate(url) else { return false }
        let isKnown = await coalescer.answer { coalescer, _, promise in
            promise.fulfill(coalescer.isKnown(url, rules))
        } giveUp: { _, _ in
        }
        guard !isKnown else { return false }
        return await store?.responses(for: rules.policy.cacheKey(of: target)).isEmpty ?? true
    }

    /// Answers a request of any method as it is, from the cache or from its origin: an answer of any status is one.
    ///
    /// The URL and the addresses are judged as those of media are. What differs: fields and body are the caller's, the
    /// answer's body is as it is on the wire, redirects are not followed, nothing is asked twice or shared, and a host
    /// that keeps failing is asked all the same. A body that did not come to its end is told by `isComplete`. What is
    /// stale and was given for now is asked about behind the answer; `shutdown` ends that.
    package func exchange(_ request: ExchangeRequest) async -> Result<CachedResponse, MediaFailure> {
        guard !Task.isCancelled else { return .failure(.cancelled) }
        return await exchanges.exchange(request, current.rules)
    }
}

/// The policy that is in force, which the operator may change.
private final class CurrentPolicy: Sendable {
    private let guarded: Guarded<FetchRules>

    init(_ policy: FetchPolicy) { guarded = Guarded(FetchRules(policy, version: 0)) }

    var rules: FetchRules { guarded.withLock { $0 } }

    func change(_ policy: FetchPolicy) {
        guarded.withLock { $0 = FetchRules(policy, version: $0.version + 1) }
    }

    func renew() { guarded.withLock { $0 = FetchRules($0.policy, version: $0.version + 1) } }
}
