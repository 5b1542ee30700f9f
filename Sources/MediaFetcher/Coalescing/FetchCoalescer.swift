import Base
import HTTPCaching
import LinuxIO
import NotificationModel

/// The coalescer of requests for the same URL into one fetch. The coalescer is used only on the network's thread.
///
/// Each waiter has its own deadline and can be cancelled alone. The fetch is cancelled when no waiter is left. All
/// remaining waiters receive its result.
final class FetchCoalescer {
    /// The key of a fetch: the URL as written, the group whose credentials are used, and the version of the rules, which
    /// contain the credentials.
    struct Key: Hashable, Sendable {
        var url: String
        /// The group with its own credentials; `nil` if the fetch has the credentials of all groups.
        var group: AppGroupName?
        var rules: Int
    }

    typealias CallerID = UInt64
    typealias Answer = Waiter<Result<FetchedMedia, MediaFailure>>

    private struct Caller {
        let request: FetchRequest
        let answer: Answer
        let fetch: SharedFetch
        let isFirst: Bool
        let alarm: EventLoop.TimerID
    }

    private final class SharedFetch {
        let task: Task<Void, Never>
        let context: FetchContext
        /// A closure that ends the wait of the last waiter when the fetch has ended; `nil` before that waiter leaves.
        var lastToLeave: (@Sendable () -> Void)?

        init(_ task: Task<Void, Never>, _ context: FetchContext) {
            self.task = task
            self.context = context
        }
    }

    private let loop: EventLoop
    private let client: LoopConfined<OriginClient>
    private let store: (any ResponseStoring)?
    private let revalidator: BackgroundRevalidator
    /// The clock with which failures expire.
    private let now: @Sendable () -> MonotonicInstant
    private var table = SingleflightTable<Key>()
    private var fetches: [UInt64: SharedFetch] = [:]
    private var callers: [CallerID: Caller] = [:]
    private var failures = NegativeCache<Key>()
    private var isShut = false

    init(
        loop: EventLoop, client: LoopConfined<OriginClient>, store: (any ResponseStoring)?,
        validations: CurrentValue<Int>, now: @escaping @Sendable () -> MonotonicInstant
    ) {
        self.loop = loop
        self.client = client
        self.store = store
        revalidator = BackgroundRevalidator(loop: loop, client: client, counting: validations)
        self.now = now
    }

    /// Cancels all fetches and background validations, and waits until they have ended.
    func shutdown() async {
        isShut = true
        for id in callers.keys { leave(id, .shutDown) }
        let tasks = fetches.values.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        await revalidator.shutdown()
    }

    // MARK: Waiters of a fetch

    func join(_ id: CallerID, _ request: FetchRequest, _ rules: FetchRules, _ answer: Answer) {
        guard !isShut else { return answer.resume(returning: .failure(.shutDown)) }
        let group = rules.policy.headers.scope(of: request.group)
        let key = Key(url: request.url, group: group, rules: rules.version)
        if let failure = failures.failure(for: key, at: now()) { return answer.resume(returning: .failure(failure)) }
        let alarm = loop.schedule(at: request.deadline) { [unowned self] in expire(id) }
        let (fetch, isFirst) =
            switch table.join(id, key, until: request.deadline) {
            case .joined(let number): (fetches[number], false)
            case .first(let number): (begin(number, key, request, rules), true)
            }
        guard let fetch else { preconditionFailure("a waiter joined a fetch that does not exist") }
        callers[id] = Caller(request: request, answer: answer, fetch: fetch, isFirst: isFirst, alarm: alarm)
        client.value.raise(fetch.context, to: request.rank)
        fetch.context.listeners.join(request)
    }

    /// Returns whether a request for a URL would join a running fetch, or would fail because of a cached failure.
    func isKnown(_ url: String, for group: AppGroupName?, _ rules: FetchRules) -> Bool {
        let key = Key(url: url, group: group, rules: rules.version)
        return table.isUnderWay(key) || failures.failure(for: key, at: now()) != nil
    }

    func forgetFailures() { failures = NegativeCache() }

    private func expire(_ id: CallerID) {
        let context = callers[id]?.fetch.context
        let stage = context?.listeners.stage.map { " in the stage \"\($0.rawValue)\"" } ?? ""
        let proxy = context?.proxy.map { ", through \($0)" } ?? ""
        leave(id, MediaFailure(.budgetExceeded, "the budget ended\(stage)\(proxy)"))
    }

    func leave(_ id: CallerID, _ failure: MediaFailure) {
        guard let caller = stand(id) else { return }
        guard let number = table.leave(id), let fetch = fetches[number] else {
            return caller.answer.resume(returning: .failure(failure))
        }
        // The last waiter waits until the fetch has released its resources.
        fetch.lastToLeave = { [answer = caller.answer] in answer.resume(returning: .failure(failure)) }
        fetch.task.cancel()
    }

    /// Removes a waiter from all structures except `table`.
    private func stand(_ id: CallerID) -> Caller? {
        guard let caller = callers.removeValue(forKey: id) else { return nil }
        loop.cancel(caller.alarm)
        caller.fetch.context.listeners.leave(caller.request)
        return caller
    }

    private func tell(_ id: CallerID, _ result: Result<FetchedMedia, MediaFailure>) {
        guard let caller = stand(id) else { return }
        var result = result
        if !caller.isFirst, case .success(var media) = result, [.miss, .revalidated].contains(media.cache) {
            media.cache = .coalesced
            result = .success(media)
        }
        caller.answer.resume(returning: result)
    }

    // MARK: Start and end of fetches

    private func begin(_ id: UInt64, _ key: Key, _ request: FetchRequest, _ rules: FetchRules) -> SharedFetch {
        let coalescer = LoopConfined(self, on: loop)
        let context = FetchContext(request, rules, isCached: store != nil) { coalescer.value.remaining(of: id) }
        let cache = store.map { rules.policy.exchange(over: $0, for: key.group) }
        let task = Task(executorPreference: loop.tasks) { [client] in
            let fetch = FetchTask(context, client: client, cache: cache)
            let result = await fetch.run()
            coalescer.value.finish(id, key, result, status: fetch.status)
            guard let cache else { return }
            for (request, key) in fetch.stale {
                coalescer.value.revalidator.begin(request, key: key, in: cache, for: context)
            }
        }
        let begun = SharedFetch(task, context)
        fetches[id] = begun
        return begun
    }

    private func remaining(of fetch: UInt64) -> Duration {
        table.deadline(of: fetch).map { MonotonicInstant.now.duration(to: $0) } ?? .zero
    }

    /// Removes a fetch, and passes its result to its waiters. The status is `nil` if no response arrived.
    private func finish(_ id: UInt64, _ key: Key, _ result: Result<FetchedMedia, MediaFailure>, status: Int?) {
        let ended = fetches.removeValue(forKey: id)
        // The failures of a host with an open circuit breaker are not cached, because its media are fetched as soon as
        // the circuit breaker closes.
        if case .failure(let failure) = result, ended?.context.listeners.restingHost == nil {
            failures.note(failure, status: status, for: key, at: now())
        }
        for waiter in table.finish(id) { tell(waiter, result) }
        // The waiter is informed in a later callback of the loop. By then the task of the fetch has ended and has
        // released its resources.
        if let tell = ended?.lastToLeave { loop.execute(tell) }
    }
}
