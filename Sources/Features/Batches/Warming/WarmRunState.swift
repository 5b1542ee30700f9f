import Base

/// The state of the loop of a run.
struct WarmRunState {
    /// The maximum number of problems of the sources that have a record. Further problems are only counted.
    static let maxProblems = 1_000

    private let clock: any RequestClock
    private let done: Set<WarmKey>
    private let start: MonotonicInstant
    private var schedule: WarmSchedule
    private var report: WarmReport
    private var seen: Set<WarmKey> = []
    /// The items of the sources that an earlier run has completed. Items that are no longer there are not counted.
    private(set) var earlier: Set<WarmKey> = []
    private var rate: RateMeter
    private var isInterrupted = false
    private var alarm: (instant: MonotonicInstant, alarm: ClockAlarm)?
    /// The number of items in the sources, each counted once.
    private var itemCount = 0
    /// The number of problems of the sources in this run.
    private var problemCount = 0

    init(history: WarmHistory, limits: WarmSchedule.Limits, clock: any RequestClock) {
        self.clock = clock
        done = history.done
        start = clock.now
        schedule = WarmSchedule(limits)
        report = WarmReport()
        rate = RateMeter(at: start)
    }

    var isOver: Bool { schedule.isEmpty && (report.isWhole || isInterrupted) }

    /// Processes an event, and returns the records of the items that have ended because of this event.
    mutating func take(
        _ signal: WarmSignal, _ intake: WarmIntake, _ observe: (WarmEvent) -> Void
    ) -> [WarmRecord] {
        switch signal {
        case .read(let item): take(item, intake)
        case .unreadable(let problem):
            itemCount += 1
            intake.releaseProblem()
            problemCount += 1
            if problemCount <= Self.maxProblems { return [WarmRecord(problem)] }
            report.addUnlistedProblem()
        case .sourcesEnded: if !isInterrupted { report.isWhole = true }
        case .interrupted: interrupt(intake)
        case .wake: break
        case .tick: observe(.progress(progress()))
        case .ended(let turn, let outcome, let duration): return end(turn, outcome, duration, intake, observe)
        }
        return []
    }

    private mutating func take(_ item: WarmItem, _ intake: WarmIntake) {
        guard seen.insert(item.key).inserted else {
            report.repeated += 1
            return intake.release(item)
        }
        itemCount += 1
        guard !done.contains(item.key) else {
            earlier.insert(item.key)
            return intake.release(item)
        }
        guard !isInterrupted else {
            report.notTried += 1
            return intake.release(item)
        }
        schedule.add(item)
    }

    private mutating func end(
        _ turn: WarmSchedule.Turn, _ outcome: WarmOutcome, _ duration: Duration, _ intake: WarmIntake,
        _ observe: (WarmEvent) -> Void
    ) -> [WarmRecord] {
        let now = clock.now
        let ended: [WarmItem]
        switch schedule.end(turn.id, with: outcome, at: now) {
        case .done: ended = [turn.item]
        case .givenUp(let items): ended = items
        case .slowed(let host, let pause):
            if !isInterrupted { observe(.slowed(host: host, pause: pause)) }
            fallthrough
        case .again:
            if isInterrupted { drop(intake) }
            return []
        }
        for item in ended { intake.release(item) }
        let failed = WarmOutcome(outcome.media.filter { $0.failure != nil })
        return ended.map { item in
            item.key == turn.item.key
                ? WarmRecord(item, outcome, took: duration) : WarmRecord(item, failed, took: .zero)
        }
    }

    /// Stops the start of further items.
    mutating func interrupt(_ intake: WarmIntake) {
        isInterrupted = true
        drop(intake)
    }

    private mutating func drop(_ intake: WarmIntake) {
        let items = schedule.stop()
        report.notTried += items.count
        for item in items { intake.release(item) }
    }

    mutating func count(_ record: WarmRecord, _ observe: (WarmEvent) -> Void) {
        report.add(record)
        observe(.ended(record))
    }

    mutating func next() -> WarmSchedule.Turn? { isInterrupted ? nil : schedule.next(at: clock.now) }

    /// Sets an alarm for the next instant at which an item may start without the end of another item.
    mutating func setAlarm(_ action: @escaping @Sendable () -> Void) {
        let instant = isInterrupted ? nil : schedule.wake(at: clock.now)
        guard instant != alarm?.instant else { return }
        alarm?.alarm.cancel()
        alarm = instant.map { ($0, clock.alarm(at: $0, action)) }
    }

    private mutating func progress() -> WarmProgress {
        let now = clock.now
        var progress = WarmProgress()
        progress.done = report.total.done + earlier.count
        progress.failed = report.total.failed
        progress.running = schedule.runningCount
        progress.total = report.isWhole ? itemCount : nil
        progress.bytes = report.total.sourceBytes
        progress.rate = rate.rate(report.total.done, at: now)
        progress.slowestHost = schedule.slowestHost(at: now)
        return progress
    }

    /// Counts the record of an item that an earlier run has completed, if the item is in the sources.
    mutating func countEarlier(_ record: WarmRecord) {
        guard earlier.remove(record.key) != nil else { return }
        report.add(record)
        report.earlier += 1
    }

    mutating func finish() -> WarmReport {
        alarm?.alarm.cancel()
        report.elapsed = start.duration(to: clock.now)
        return report
    }
}
