import HTTPCaching
import LinuxIO
import NotificationModel

/// Stale responses that have been given, on the network's thread: origins are asked about them behind that, under each
/// key once at a time.
actor RevalidationBoard {
    private static let mostAtATime = 64
    /// How long one of them may take.
    private static let budget: Duration = .seconds(30)

    private nonisolated let loop: EventLoop
    private let client: OriginClient
    private var tasks: [String: Task<Void, Never>] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, client: OriginClient) {
        self.loop = loop
        self.client = client
    }

    /// Where too many are under way, it is left to the next one who is given the response.
    ///
    /// - Parameter errand: of whom it was given to; its files and its rules.
    func begin(_ revalidation: Revalidation, in cache: CachingExchange, for errand: Errand) {
        let key = revalidation.key
        guard tasks[key] == nil, tasks.count < Self.mostAtATime,
            let target = try? errand.policy.judge(revalidation.request.url)
        else { return }
        let deadline = ContinuousClock.now + Self.budget
        var errand = errand
        errand.trace = FlightTrace()
        errand.progress = nil
        errand.remaining = { ContinuousClock.now.duration(to: deadline) }
        let alarm = loop.schedule(at: deadline) { [unowned self] in
            self.assumeIsolated { $0.tasks[key]?.cancel() }
        }
        tasks[key] = Task(executorPreference: loop) { [errand, client] in
            await cache.revalidate(revalidation) { await client.send($0, to: target, for: errand).result }
            await self.ended(key, alarm)
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
