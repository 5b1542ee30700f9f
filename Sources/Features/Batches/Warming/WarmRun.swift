package import Base
package import LinuxIO

/// A run of a batch: it warms all items of its sources, and returns a report.
///
/// The sources of the command hand items and problems to a `WarmIntake`. Each item starts when the schedule permits it,
/// and a `MediaWarming` warms it in this process or through a daemon. The result is a line of the journal and a part of
/// the `WarmReport`. Items that an earlier run has completed and items that occur twice are not started. A line that is
/// not a valid item is a failure in the report.
///
/// All decisions are made in one loop over events, so the schedule and the report need no lock. The loop and the items
/// are tasks of the cooperative pool; the journal is written on its own thread. The reader of the sources waits while
/// `readAhead` items and problems have not ended yet.
///
/// The command `warm` signals `interruption` at a termination signal, or when the daemon does not respond. After the
/// signal, no more items are started, and the run waits for the running items. If the journal cannot be written, the
/// run ends in the same way and throws.
package struct WarmRun: Sendable {
    /// The maximum number of items that are read ahead.
    package static let readAhead = 8_192
    /// The number of read-ahead permits that a payload takes, because it needs more memory than a URL.
    static let payloadWeight = 16

    let warmer: any MediaWarming
    /// The journal after `begin`; `nil` if no journal is written.
    let journal: WarmJournal?
    /// The items that the journal had when it was begun.
    let history: WarmHistory
    let limits: WarmSchedule.Limits
    /// The time for each item.
    let budget: Duration
    let clock: any RequestClock

    /// Runs until all items have ended. After `interruption`, no more items are started.
    ///
    /// - Parameter read: A function that hands the items of all sources to the intake, and returns at their end.
    /// - Parameter observe: A function that the loop calls several times per second.
    /// - Throws: A `SystemError` if the journal cannot be written, after the running items have ended.
    package func run(
        _ read: @escaping @Sendable (WarmIntake) async -> Void, interruption: AsyncEvent,
        observe: (WarmEvent) -> Void
    ) async throws(SystemError) -> WarmReport {
        let (signals, signal) = AsyncStream.makeStream(of: WarmSignal.self)
        let intake = WarmIntake(signal)
        let id = interruption.whenSignalled { signal.yield(.interrupted) }
        defer { interruption.forget(id) }
        // A blocked read from a pipe cannot be cancelled, so the run does not wait for this task.
        let reader = Task {
            await read(intake)
            signal.yield(.sourcesEnded)
        }
        defer { reader.cancel() }
        var state = WarmRunState(history: history, limits: limits, clock: clock)
        var failure: SystemError?
        await withDiscardingTaskGroup { group in
            // At most one tick is queued. Otherwise a loop that is too slow would process only ticks.
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
    /// Another item may start now.
    case wake
    /// The progress of the run must be shown.
    case tick
}

/// The events that a run reports to its observer.
package enum WarmEvent: Sendable {
    case ended(WarmRecord)
    /// A host gets fewer items, and none before the end of the pause. An empty name stands for this machine.
    case slowed(host: String, pause: Duration)
    case progress(WarmProgress)
}

/// The queue through which the sources pass items to a run.
package final class WarmIntake: Sendable {
    private let signal: AsyncStream<WarmSignal>.Continuation
    private let readAheadPermits = AsyncSemaphore(permits: WarmRun.readAhead)

    init(_ signal: AsyncStream<WarmSignal>.Continuation) { self.signal = signal }

    /// Waits until there is room for an item, and adds the item.
    package func add(_ item: WarmItem) async {
        for _ in 0..<Self.weight(of: item) { guard await readAheadPermits.acquire(elseWait: {}) else { return } }
        signal.yield(.read(item))
    }

    /// Waits until there is room for a part of a source that is not an item, and adds the part.
    package func add(_ problem: WarmProblem) async {
        guard await readAheadPermits.acquire(elseWait: {}) else { return }
        signal.yield(.unreadable(problem))
    }

    /// Releases the permit of a problem.
    func releaseProblem() { readAheadPermits.release() }

    /// Releases the permits of an item.
    func release(_ item: WarmItem) { for _ in 0..<Self.weight(of: item) { readAheadPermits.release() } }

    private static func weight(of item: WarmItem) -> Int {
        if case .payload = item.request { WarmRun.payloadWeight } else { 1 }
    }
}
