package import LinuxIO
package import NotificationModel

/// One run of a batch: reads items, starts them as the schedule says, writes the journal, and sums up.
///
/// All decisions are made in one loop over events, so that the schedule and the report need no lock. Items run as tasks
/// beside it. The reader waits when `readAhead` items and problems have not ended yet.
package struct WarmRun: Sendable {
    /// Items that may be read ahead.
    package static let readAhead = 8_192
    /// A payload counts as several items: it takes more memory than a URL.
    static let payloadWeight = 16

    private let warmer: any MediaWarming
    private let journal: WarmJournal?
    private let history: WarmHistory
    private let limits: WarmSchedule.Limits
    private let budget: Duration
    private let clock: any RequestClock

    /// - Parameters:
    ///   - journal: Begun; `nil`: nothing is written.
    ///   - history: The items that the journal had when it was begun.
    ///   - budget: The time of each item.
    package init(
        warmer: any MediaWarming, journal: WarmJournal?, history: WarmHistory, limits: WarmSchedule.Limits,
        budget: Duration, clock: any RequestClock
    ) {
        self.warmer = warmer
        self.journal = journal
        self.history = history
        self.limits = limits
        self.budget = budget
        self.clock = clock
    }

    /// Works until every item has ended. After `interruption` nothing more is started.
    ///
    /// - Parameters:
    ///   - read: Hands the items of all sources to the intake, and returns at their ends.
    ///   - observe: Called in the loop, several times a second.
    /// - Throws: if the journal cannot be written; what runs has ended then.
    package func run(
        _ read: @escaping @Sendable (WarmIntake) async -> Void, interruption: AsyncEvent,
        observe: (WarmEvent) -> Void
    ) async throws(SystemError) -> WarmReport {
        let (signals, signal) = AsyncStream.makeStream(of: WarmSignal.self)
        let intake = WarmIntake(signal)
        let id = interruption.whenSignalled { signal.yield(.interrupted) }
        defer { interruption.forget(id) }
        // A reader of a pipe that nobody writes to cannot be ended, and nobody waits for it.
        let reader = Task {
            await read(intake)
            signal.yield(.sourcesEnded)
        }
        defer { reader.cancel() }
        var state = WarmRunState(history: history, limits: limits, clock: clock)
        var failure: SystemError?
        await withDiscardingTaskGroup { group in
            // One tick at a time: a loop that is behind would never come to the end of the others.
            let tick = AsyncSemaphore(permits: 1)
            group.addTask { [clock] in
                while !Task.isCancelled {
                    await clock.sleep(until: clock.now + .milliseconds(100))
                    if await tick.acquire(elseWait: {}) { signal.yield(.tick) }
                }
            }
            for await received in signals {
                let records = state.take(received, intake, observe)
                if case .tick = received { tick.release() }
                if !records.isEmpty, failure == nil {
                    do throws(SystemError) { try await journal?.append(records) } catch {
                        failure = error
                        state.interrupt(intake)
                    }
                }
                if failure == nil { for record in records { state.count(record, observe) } }
                while let turn = state.next() {
                    group.addTask { [warmer, budget, clock] in
                        let start = clock.now
                        let outcome = await warmer.warm(turn.item, budget: budget)
                        signal.yield(.ended(turn, outcome, start.duration(to: clock.now)))
                    }
                }
                if state.isOver { break }
                state.setAlarm { signal.yield(.wake) }
            }
            group.cancelAll()
        }
        if let failure { throw failure }
        try await journal?.forEachEarlier { state.countEarlier($0) }
        let report = state.finish()
        if report.isWhole, report.notTried == 0 { try await journal?.end(failed: report.total.failed) }
        return report
    }
}

/// The events of the loop of a run.
enum WarmSignal: Sendable {
    case read(WarmItem)
    case unreadable(WarmProblem)
    case sourcesEnded
    case ended(WarmSchedule.Turn, WarmOutcome, Duration)
    case interrupted
    /// Time has come for another item.
    case wake
    /// It is time to show how far the run is.
    case tick
}

/// The events that a run reports to its observer.
package enum WarmEvent: Sendable {
    case ended(WarmRecord)
    /// A host is asked less, and not before the pause has ended; empty: this machine has too much to do.
    case slowed(host: String, pause: Duration)
    case progress(WarmProgress)
}

/// The way of items into a run.
package final class WarmIntake: Sendable {
    private let signal: AsyncStream<WarmSignal>.Continuation
    private let room = AsyncSemaphore(permits: WarmRun.readAhead)

    init(_ signal: AsyncStream<WarmSignal>.Continuation) { self.signal = signal }

    /// Hands in an item, when there is room for it.
    package func add(_ item: WarmItem) async {
        for _ in 0..<Self.weight(of: item) {
            guard await room.acquire(elseWait: {}) else { return }
        }
        signal.yield(.read(item))
    }

    /// Hands in something that is no item, when there is room for it.
    package func add(_ problem: WarmProblem) async {
        guard await room.acquire(elseWait: {}) else { return }
        signal.yield(.unreadable(problem))
    }

    /// A problem is not held any more.
    func releaseProblem() { room.release() }

    /// The item is not held any more.
    func release(_ item: WarmItem) { for _ in 0..<Self.weight(of: item) { room.release() } }

    private static func weight(of item: WarmItem) -> Int {
        if case .payload = item.request { WarmRun.payloadWeight } else { 1 }
    }
}
