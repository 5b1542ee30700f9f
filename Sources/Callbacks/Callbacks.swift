package import FoundationEssentials
package import Logging
package import NotificationModel
package import Primitives

/// The callbacks: messages about results and receipts, which configured targets get by Standard Webhooks.
///
/// **Input.** The journal, which stores a message in the same transaction as the result or receipt that it is about.
/// **Output.** Signed POST requests, at least one for each message. The id of a message is the same for each attempt, so
/// that a receiver recognises a repeated one. A message that was sent and not recorded before a crash is sent again.
///
/// Each target has a ``CallbackLane``. Its ``CallbackLaneState`` decides about attempts, rests and the end of a target
/// that only fails. The network is behind the port `OutgoingCalling`, which checks addresses when it connects.
///
/// **Refused.** Redirects, and answers of more than 1 MiB, count as failures.
/// **Threads.** The lanes run on the cooperative pool, and the store and the network use their own threads.
/// **Cancellation.** A cancelled task cancels the running requests, whose messages stay due.
package final class Callbacks: CallbackIntake {
    /// The descriptions of the metrics, by name.
    package static let meanings = [
        "appgroupd_callback_attempts_total": "Attempts to deliver callbacks, by target and by result."
    ]

    /// The parts that all lanes share.
    struct Parts: Sendable {
        let store: any CallbackStoring
        let caller: any OutgoingCalling
        let clock: any RequestClock
        let logger: Logger
        let random: @Sendable () -> Double
    }

    /// The settings of all targets.
    package struct Settings: Sendable, Equatable {
        package var targets: [CallbackTarget]
        /// The beginning of links to results.
        package var linkBase: String

        package init(targets: [CallbackTarget] = [], linkBase: String = "") {
            self.targets = targets
            self.linkBase = linkBase
        }

        fileprivate var routing: CallbackRouting? {
            targets.isEmpty ? nil : CallbackRouting(targets: targets.map(\.routing), linkBase: linkBase)
        }
    }

    /// The interval between two counts of pending messages, for the metrics.
    private static let countInterval: Duration = .seconds(15)

    private let parts: Parts
    private let settings: Guarded<Settings>
    private let lanes = Guarded<[String: CallbackLane]>([:])
    private let backlogs = Guarded<[String: CallbackBacklog]>([:])
    /// An event that is signalled when the settings have changed.
    private let changed = Guarded(AsyncEvent())

    /// - Parameter random: A function that returns a number from 0 to 1 for the jitter of pauses.
    package init(
        _ settings: Settings, store: any CallbackStoring, caller: any OutgoingCalling, clock: any RequestClock,
        logger: Logger, random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        parts = Parts(store: store, caller: caller, clock: clock, logger: logger, random: random)
        self.settings = Guarded(settings)
        route(settings)
    }

    /// Changes the targets. Running requests are cancelled, and their messages are sent again.
    package func change(_ settings: Settings) {
        let isSame = self.settings.withLock { old in
            defer { old = settings }
            return old == settings
        }
        guard !isSame else { return }
        route(settings)
        changed.withLock { $0 }.signal()
    }

    private func route(_ settings: Settings) {
        parts.store.route(by: settings.routing) { [weak self] names in
            for name in names { self?.lanes.withLock { $0[name] }?.wake() }
        }
    }

    /// Sends messages until the task is cancelled. Without targets, the journal is not asked.
    package func run() async {
        while !Task.isCancelled {
            let event = AsyncEvent()
            changed.withLock { $0 = event }
            let targets = settings.withLock { $0.targets }
            guard !targets.isEmpty else {
                lanes.withLock { $0 = [:] }
                await event.wait()
                continue
            }
            guard let records = await parts.store.callbackTargets() else {
                parts.logger.error("the callback targets cannot be read; the next try is in 1 s")
                await event.wait(until: parts.clock.now.advanced(by: .seconds(1)), on: parts.clock)
                continue
            }
            let fresh = targets.map { target in
                CallbackLane(
                    target, records.first { $0.name == target.name } ?? CallbackTargetRecord(name: target.name), parts)
            }
            lanes.withLock { $0 = Dictionary(uniqueKeysWithValues: fresh.map { ($0.target.name, $0) }) }
            await withDiscardingTaskGroup { tasks in
                for lane in fresh { tasks.addTask { await lane.run() } }
                tasks.addTask { await self.count() }
                await event.wait()
                tasks.cancelAll()
            }
        }
    }

    private func count() async {
        while !Task.isCancelled {
            if let counts = await parts.store.callbackBacklogs() { backlogs.withLock { $0 = counts } }
            await parts.clock.sleep(until: parts.clock.now.advanced(by: Self.countInterval))
        }
    }

    /// The state of each target for the metrics, with the last count of pending messages.
    package var gauges: [(target: String, backlog: CallbackBacklog, isDisabled: Bool)] {
        let counts = backlogs.withLock { $0 }
        return lanes.withLock { $0 }.sorted { $0.key < $1.key }.map { name, lane in
            (name, counts[name] ?? CallbackBacklog(), lane.record.disabledAt != nil)
        }
    }

    package var dropped: Int { parts.store.droppedCallbacks }

    // MARK: Conformance to CallbackIntake

    package func callbacks(_ query: CallbackQuery) async -> ListPage<Callback>? { await parts.store.callbacks(query) }

    package func callback(_ id: String) async -> Callback?? { await parts.store.callback(id) }

    package func targets() async -> [CallbackTargetReport]? {
        guard let counts = await parts.store.callbackBacklogs() else { return nil }
        let lanes = lanes.withLock { $0 }
        return settings.withLock { $0.targets }.map { target in
            let lane = lanes[target.name]
            let rest = lane?.restsUntil.flatMap { $0 > parts.clock.date ? $0 : nil }
            return CallbackTargetReport(
                record: lane?.record ?? CallbackTargetRecord(name: target.name), url: target.shownURL,
                backlog: counts[target.name] ?? CallbackBacklog(), restsUntil: rest,
                publicKeys: target.publicKeys)
        }
    }

    package func resend(_ id: String) async -> Bool? {
        let isThere = await parts.store.resendCallback(id, at: parts.clock.date)
        for lane in lanes.withLock({ Array($0.values) }) { lane.wake() }
        return isThere
    }

    package func recover(_ target: String, since date: Date) async -> CallbackRecovery {
        guard let lane = lanes.withLock({ $0[target] }) else { return .unknownTarget }
        var (count, last) = (0, 0)
        // Each step is a transaction of its own, so that requests do not wait for a long one.
        while true {
            guard
                let step = await parts.store.recoverCallbacks(
                    of: target, since: date, after: last, at: parts.clock.date)
            else { return .failed }
            guard step.count > 0 else { break }
            count += step.count
            last = step.last
        }
        guard await lane.change({ $0.enable() }) else { return .failed }
        parts.logger.notice("a callback target is enabled", metadata: ["target": "\(target)", "again": "\(count)"])
        return .done(count)
    }

    package func disable(_ target: String) async -> CallbackRecovery {
        guard let lane = lanes.withLock({ $0[target] }) else { return .unknownTarget }
        let date = parts.clock.date
        guard await lane.change({ $0.disable("disabled by an operator", at: date) }) else { return .failed }
        parts.logger.notice("a callback target is disabled by an operator", metadata: ["target": "\(target)"])
        return .done(0)
    }
}
