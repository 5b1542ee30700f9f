package import Base
package import FoundationEssentials
package import Logging
package import NotificationModel

/// The callbacks: messages about results and receipts, which configured targets get by Standard Webhooks.
///
/// **Input.** The journal, which stores a message in the same transaction as the result or receipt that it is about.
/// **Output.** Signed POST requests, at least one for each message. The id of a message is the same for each attempt, so
/// that a receiver recognises a repeated one. A message that was sent and not recorded before a crash is sent again.
///
/// Each target has a ``CallbackLane``. Its ``CallbackLaneState`` decides about attempts, cooldowns and the end of a target
/// that only fails. The network is behind the port `OutgoingCalling`, which checks addresses when it connects.
///
/// **Refused.** Redirects count as failures.
/// **Threads.** The lanes run on the cooperative pool, and the store and the network use their own threads.
/// **Cancellation.** The running requests of a cancelled task have 2 s to end. Messages without an answer stay due.
///
/// To add a new kind of target, do this: write its case with its credentials in `CallbackTarget.Kind`, the form of its
/// messages in `CallbackRouting.Target.Form`, and a `CallbackSending` that makes its requests. The compiler reports
/// each switch that lacks a case. `CallbackSettings.swift` then makes the target from its configuration keys.
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

    /// Changes the targets. Running requests have 2 s to end. Messages without an answer are sent again.
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
            let fresh = replaceLanes(targets, records)
            await withDiscardingTaskGroup { tasks in
                for lane in fresh { tasks.addTask { await lane.run() } }
                tasks.addTask { await self.count() }
                await event.wait()
                tasks.cancelAll()
            }
        }
    }

    /// Makes the lanes of the targets, one for each name. A lane that a target has already knows its newest record: an
    /// operator may have changed it since the records were read.
    private func replaceLanes(_ targets: [CallbackTarget], _ records: [CallbackTargetRecord]) -> [CallbackLane] {
        lanes.withLock { lanes in
            let fresh = targets.map { target in
                let record = lanes[target.name]?.record ?? records.first { $0.name == target.name }
                return CallbackLane(target, record ?? CallbackTargetRecord(name: target.name), parts)
            }
            lanes = Dictionary(fresh.map { ($0.target.name, $0) }) { first, _ in first }
            return Array(lanes.values)
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
        let (lanes, now, date) = (self.lanes.withLock { $0 }, parts.clock.now, parts.clock.date)
        return settings.withLock { $0.targets }.map { target in
            let lane = lanes[target.name]
            let rest = lane?.coolsDownUntil.flatMap { $0 > now ? now.duration(to: $0).seconds : nil }
            return CallbackTargetReport(
                record: lane?.record ?? CallbackTargetRecord(name: target.name), url: target.shownURL,
                backlog: counts[target.name] ?? CallbackBacklog(), coolsDownUntil: rest.map(date.addingTimeInterval),
                publicKeys: target.publicKeys)
        }
    }

    package func resend(_ id: String) async -> Bool? {
        let isThere = await parts.store.resendCallback(id, at: parts.clock.date)
        for lane in lanes.withLock({ Array($0.values) }) { lane.wake() }
        return isThere
    }

    package func recover(_ target: String, since date: Date?) async -> CallbackRecovery {
        guard lanes.withLock({ $0[target] != nil }) else { return .unknownTarget }
        var count = 0
        if let date {
            guard let due = await makeDue(target, since: date) else { return .failed }
            count = due
        }
        let recovery = await change(target, count) { $0.enable() }
        if case .done = recovery {
            parts.logger.notice("a callback target is enabled", metadata: ["target": "\(target)", "again": "\(count)"])
        }
        return recovery
    }

    /// Makes the failed messages of a target due again, and returns their number; `nil` if the journal fails.
    private func makeDue(_ target: String, since date: Date) async -> Int? {
        var (count, last) = (0, 0)
        // Each step is a transaction of its own, so that requests do not wait for a long one.
        while let step = await parts.store.recoverCallbacks(
            of: target, since: date, after: last, at: parts.clock.date)
        {
            guard step.count > 0 else { return count }
            count += step.count
            last = step.last
        }
        return nil
    }

    package func disable(_ target: String) async -> CallbackRecovery {
        let date = parts.clock.date
        let recovery = await change(target, 0) { $0.disable("disabled by an operator", at: date) }
        if case .done = recovery {
            parts.logger.notice("a callback target is disabled by an operator", metadata: ["target": "\(target)"])
        }
        return recovery
    }

    /// Changes the record of a target, under the lock of the lanes: a lane that replaces this one has the change.
    private func change(
        _ target: String, _ count: Int, _ body: (inout CallbackLaneState) -> CallbackTargetRecord
    ) async -> CallbackRecovery {
        let changed = lanes.withLock { lanes in lanes[target].map { ($0, $0.change(body)) } }
        guard let (lane, record) = changed else { return .unknownTarget }
        defer { lane.wake() }
        return await parts.store.store(nil, record) ? .done(count) : .failed
    }
}
