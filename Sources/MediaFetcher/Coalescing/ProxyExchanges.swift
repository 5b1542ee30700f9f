package import HTTPCaching
import HTTPTypes
import LinuxIO
package import NotificationModel
package import Primitives

/// The running exchanges of the lab proxy, on the network's thread. Identical exchanges are not coalesced, because the
/// fields of each request may ask for a different response.
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
        let context = FetchContext(
            rules: rules, mode: .passthrough(largest: wish.largestBody),
            remaining: { MonotonicInstant.now.duration(to: deadline) }, makeFile: wish.makeFile)
        var request = wish.request
        request.url = target.text
        // The header fields that the operator configures replace those of the request.
        for line in policy.headers.fields(for: target) {
            if let name = HTTPField.Name(String(line.prefix { $0 != ":" })) { request.fields[name] = nil }
        }
        let exchange = ProxyExchange(
            request: request, target: target, context: context, client: client,
            cache: policy.exchange(over: store))
        lastExchange += 1
        let id = lastExchange
        let task = Task(executorPreference: loop.tasks) { await exchange.run() }
        exchanges[id] = task
        var result = await loop.value(of: task, until: deadline)
        exchanges[id] = nil
        if case .success(var response) = result, let revalidation = response.revalidation {
            revalidations.value.begin(revalidation, in: exchange.cache, for: context)
            response.revalidation = nil
            result = .success(response)
        }
        return result
    }

    /// Cancels all exchanges, and waits until they have ended.
    func shutdown() async {
        let tasks = Array(exchanges.values)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.value }
    }
}

/// An exchange of one request with the cache or the origin. The request is not changed, redirects are not followed, and
/// no request is repeated.
struct ProxyExchange {
    /// The request, whose URL is the URL of `target`.
    var request: OriginRequest
    var target: ValidatedURL
    var context: FetchContext
    var client: LoopConfined<OriginClient>
    var cache: CachingExchange

    func run() async -> Result<CachedResponse, MediaFailure> {
        await cache.exchange(request, key: context.rules.policy.cacheKey(of: target)) { request in
            let result = await client.value.send(request, to: target, for: context).result
            // The end of the budget has cancelled the request. An origin that does not respond in time counts as
            // failed, so that a stale response may be used.
            if case .failure(let failure) = result, failure.reason == .cancelled, context.remaining() <= .zero {
                return .failure(MediaFailure(.budgetExceeded, "the budget ended before the origin had answered"))
            }
            return result
        }
    }
}

/// A request of the lab proxy, with its limits.
package struct ExchangeRequest: Sendable {
    /// The request. Its URL is validated like the URL of a media item.
    package var request: OriginRequest
    package var deadline: MonotonicInstant
    /// The maximum size of the response body before decoding, in bytes. A longer body is refused.
    package var largestBody: Int
    /// Creates an empty file for a body. The function is not called if the response comes from the store.
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
