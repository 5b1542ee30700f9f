import Base
import HTTPCaching
import LinuxIO
import NotificationModel

/// The runner of background validations of stale responses (RFC 5861 §3), which ask the origin after a stale response
/// has been used. Each cache key has at most one validation at a time. The runner is used only on the network's thread.
final class BackgroundRevalidator {
    /// The time limit of one validation.
    private static let budget: Duration = .seconds(30)

    private let loop: EventLoop
    private let client: LoopConfined<OriginClient>
    private var tasks: [String: Task<Void, Never>] = [:] {
        didSet { count.update { $0 = tasks.count } }
    }
    /// The number of running validations.
    private let count: CurrentValue<Int>

    init(loop: EventLoop, client: LoopConfined<OriginClient>, counting count: CurrentValue<Int>) {
        self.loop = loop
        self.client = client
        self.count = count
    }

    /// Starts a validation for a request that received a stale response, with the rules and files of its context. If
    /// too many validations are running, the function does nothing, and the next use of the stale response tries again.
    func begin(_ request: OriginRequest, key: String, in cache: CachingExchange, for context: FetchContext) {
        guard tasks[key] == nil, tasks.count < context.rules.policy.limits.validations,
            let target = try? context.rules.policy.validate(request.url)
        else { return }
        let deadline = MonotonicInstant.now + Self.budget
        var own = FetchRequest(url: request.url, deadline: deadline, trace: StageTrace(), makeFile: context.makeFile)
        own.group = context.group
        let context = FetchContext(own, context.rules, isCached: true)
        let alarm = loop.schedule(at: deadline) { [unowned self] in tasks[key]?.cancel() }
        let revalidator = LoopConfined(self, on: loop)
        tasks[key] = Task(executorPreference: loop.tasks) { [client] in
            await cache.revalidate(request, key: key) { request, _ in
                await client.value.send(request, to: target, for: context)
            }
            revalidator.value.ended(key, alarm)
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
