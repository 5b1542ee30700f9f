import HTTPCaching
import HTTPTypes
import LinuxIO
import NotificationModel

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
        do throws(MediaFailure) { target = try policy.judge(wish.request.url) } catch { return .failure(error) }
        let deadline = wish.deadline
        let errand = FetchContext(
            rules: rules, purpose: .exchange(largest: wish.largestBody),
            remaining: { MonotonicInstant.now.duration(to: deadline) }, makeFile: wish.makeFile)
        var request = wish.request
        request.url = target.text
        // The operator's own are added, and are not said twice.
        for line in policy.headers.fields(for: target) {
            if let name = HTTPField.Name(String(line.prefix { $0 != ":" })) { request.fields[name] = nil }
        }
        let exchange = ProxyExchange(
            request: request, target: target, errand: errand, client: client, cache: policy.exchange(over: store))
        lastExchange += 1
        let id = lastExchange
        let task = Task(executorPreference: loop.tasks) { await exchange.run() }
        exchanges[id] = task
        var result = await loop.value(of: task, until: deadline)
        exchanges[id] = nil
        if case .success(var response) = result, let revalidation = response.revalidation {
            revalidations.here.begin(revalidation, in: exchange.cache, for: errand)
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
