import HTTPCaching
import LinuxIO
import Primitives

/// The runner of background validations of stale responses (RFC 5861 §3). The runner asks the origin after a stale
/// response has been used, with at most one validation at a time for each cache key. It is used only on the network's
/// thread.
final class BackgroundRevalidator {
    private static let mostAtATime = 64
    /// The time limit of one validation.
    private static let budget: Duration = .seconds(30)

    private let loop: EventLoop
    private let client: LoopConfined<OriginClient>
    private var tasks: [String: Task<Void, Never>] = [:]

    init(loop: EventLoop, client: LoopConfined<OriginClient>) {
        self.loop = loop
        self.client = client
    }

    /// Starts a validation. If too many validations are running, the function does nothing, and the next use of the
    /// stale response tries again.
    ///
    /// - Parameter context: the context of the request that received the stale response. The validation uses the rules
    ///   and files of this context.
    func begin(_ revalidation: Revalidation, in cache: CachingExchange, for context: FetchContext) {
        let key = revalidation.key
        guard tasks[key] == nil, tasks.count < Self.mostAtATime,
            let target = try? context.rules.policy.validate(revalidation.request.url)
        else { return }
        let deadline = MonotonicInstant.now + Self.budget
        let context = FetchContext(
            rules: context.rules, mode: context.mode,
            remaining: { MonotonicInstant.now.duration(to: deadline) }, makeFile: context.makeFile)
        let alarm = loop.schedule(at: deadline) { [unowned self] in tasks[key]?.cancel() }
        let coalescer = LoopConfined(self, on: loop)
        tasks[key] = Task(executorPreference: loop.tasks) { [client] in
            await cache.revalidate(revalidation) { await client.value.send($0, to: target, for: context).result }
            coalescer.value.ended(key, alarm)
        }
    }

    private func ended(_ key: String, _ alarm: EventLoop.TimerID) {
        loop.cancel(alarm)
        tasks[key] = nil
    }

    /// Cancels all validations, and waits until they have ended.
    func shutdown() async {
        let tasks = Array(tasks.values)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
