package import HTTPCaching
import HTTPTypes
import LinuxIO
package import NotificationModel

/// Who waits for which plain exchange, on the network's thread. Two for the same are two: whoever asks wants an answer to
/// its own request, whose fields may say anything.
actor ProxyExchanges {
    private typealias ExchangeID = UInt64

    private nonisolated let loop: EventLoop
    private let client: LoopConfined<OriginClient>
    private let store: any ResponseStoring
    private let revalidations: LoopConfined<BackgroundRevalidator>
    private var exchanges: [ExchangeID: Task<Result<CachedResponse, MediaFailure>, Never>] = [:]
    private var lastExchange: ExchangeID = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(
        loop: EventLoop, client: LoopConfined<OriginClient>, store: (any ResponseStoring)?,
        revalidations: LoopConfined<BackgroundRevalidator>
    ) {
        self.loop = loop
        self.client = client
        self.store = store ?? NoResponseStore()
        self.revalidations = revalidations
    }

    func exchange(_ wish: ExchangeRequest, _ rules: FetchRules) async -> Result<CachedResponse, MediaFailure> {
        let policy = rules.policy
        let target: ValidatedURL
        do throws(MediaFailure) { target = try policy.validate(wish.request.url) } catch { return .failure(error) }
        let deadline = wish.deadline
        let errand = FetchContext(
            rules: rules, mode: .passthrough(largest: wish.largestBody),
            remaining: { MonotonicInstant.now.duration(to: deadline) }, makeFile: wish.makeFile)
        var request = wish.request
        request.url = target.text
        // The operator's own are added, and are not said twice.
        for line in policy.headers.fields(for: target) {
            if let name = HTTPField.Name(String(line.prefix { $0 != ":" })) { request.fields[name] = nil }
        }
        let exchange = ProxyExchange(
            request: request, target: target, errand: errand, client: client,
            cache: policy.exchange(over: store.forFetch()))
        lastExchange += 1
        let id = lastExchange
        let task = Task(executorPreference: loop.tasks) { await exchange.run() }
        exchanges[id] = task
        var result = await loop.value(of: task, until: deadline)
        exchanges[id] = nil
        if case .success(var response) = result, let revalidation = response.revalidation {
            revalidations.value.begin(revalidation, in: exchange.cache, for: errand)
            response.revalidation = nil
            result = .success(response)
        }
        return result
    }

    /// Ends all exchanges, and waits for their ends.
    func shutdown() async {
        let tasks = Array(exchanges.values)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.value }
    }
}

/// One request to one URL, from the cache or from its origin, as it is: no redirect is followed, and nothing is asked
/// again.
struct ProxyExchange {
    /// Its URL is the target's.
    var request: OriginRequest
    var target: ValidatedURL
    var errand: FetchContext
    var client: LoopConfined<OriginClient>
    var cache: CachingExchange

    func run() async -> Result<CachedResponse, MediaFailure> {
        await cache.exchange(request, key: errand.rules.policy.cacheKey(of: target)) { request in
            let result = await client.value.send(request, to: target, for: errand).result
            // It is the end of the budget that cancels: an origin that does not answer in time is in trouble, and what
            // is stale may stand in for it.
            if case .failure(let failure) = result, failure.reason == .cancelled, errand.remaining() <= .zero {
                return .failure(MediaFailure(.budgetExceeded, "the budget ended before the origin had answered"))
            }
            return result
        }
    }
}

/// A request that is to be answered as it is, and within which bounds.
package struct ExchangeRequest: Sendable {
    /// Its URL is judged like any other.
    package var request: OriginRequest
    package var deadline: MonotonicInstant
    /// Bytes of an answer's body, as it is on the wire; a longer one is refused.
    package var largestBody: Int
    /// Gives an empty file for a body; not called where the answer is stored.
    package var makeFile: @Sendable () throws(MediaFailure) -> MediaFile

    package init(
        _ request: OriginRequest, deadline: MonotonicInstant, largestBody: Int,
        makeFile: @escaping @Sendable () throws(MediaFailure) -> MediaFile
    ) {
        self.request = request
        self.deadline = deadline
        self.largestBody = largestBody
        self.makeFile = makeFile
    }
}
