import HTTPCaching
import LinuxIO
import NotificationModel

/// Stale responses that have been given; lives on the network's thread: origins are asked about them behind that, under
/// each key once at a time.
final class BackgroundRevalidator {
    private static let mostAtATime = 64
    /// How long one of them may take.
    private static let budget: Duration = .seconds(30)

    private let loop: EventLoop
    private let client: LoopConfined<OriginClient>
    private var tasks: [String: Task<Void, Never>] = [:]

    init(loop: EventLoop, client: LoopConfined<OriginClient>) {
        self.loop = loop
        self.client = client
    }

    /// Where too many are under way, it is left to the next one who is given the response.
    ///
    /// - Parameter errand: of whom it was given to; its files and its rules.
    func begin(_ revalidation: Revalidation, in cache: CachingExchange, for errand: FetchContext) {
        let key = revalidation.key
        guard tasks[key] == nil, tasks.count < Self.mostAtATime,
            let target = try? errand.rules.policy.validate(revalidation.request.url)
        else { return }
        let deadline = MonotonicInstant.now + Self.budget
        let errand = FetchContext(
            rules: errand.rules, mode: errand.mode,
            remaining: { MonotonicInstant.now.duration(to: deadline) }, makeFile: errand.makeFile)
        let alarm = loop.schedule(at: deadline) { [unowned self] in tasks[key]?.cancel() }
        let coalescer = LoopConfined(self, on: loop)
        tasks[key] = Task(executorPreference: loop.tasks) { [client] in
            await cache.revalidate(revalidation) { await client.value.send($0, to: target, for: errand).result }
            coalescer.value.ended(key, alarm)
        }
    }

    private func ended(_ key: String, _ alarm: EventLoop.TimerID) {
        loop.cancel(alarm)
        tasks[key] = nil
    }

    /// Ends all of them, and waits for their ends.
    func shutdown() async {
        let tasks = Array(tasks.values)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
