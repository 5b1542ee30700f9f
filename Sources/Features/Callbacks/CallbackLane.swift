import Base
import CoreMetrics
import FoundationEssentials
import Logging
import NotificationModel

/// The messages to one target. Each target has its own lane, so that a slow or dead target delays no other one.
///
/// The lane asks the journal for due messages, a few at a time, and sends them concurrently. It waits until a message is
/// added, an attempt ends, or the next message is due. After a restart, the journal has the undelivered messages.
final class CallbackLane: Sendable {
    /// The longest wait without a look at the journal. The clock of the machine may be set.
    private static let maxWait: Duration = .seconds(60)
    /// The time after which the journal is asked again after a failed look at it.
    private static let pause: Duration = .seconds(1)
    /// The time that running requests have to end when the lane ends. Without an answer, their messages come again.
    private static let grace: Duration = .seconds(2)
    /// One of this number of failed looks in a row is reported.
    private static let looksOfReport = 60

    let target: CallbackTarget
    private let parts: Callbacks.Parts
    private let sender: any CallbackSending
    private let state: Guarded<CallbackLaneState>
    private let wish = Guarded(AsyncEvent())

    init(_ target: CallbackTarget, _ record: CallbackTargetRecord, _ parts: Callbacks.Parts) {
        self.target = target
        self.parts = parts
        sender = target.sender(over: parts.caller)
        state = Guarded(
            CallbackLaneState(record, concurrent: target.concurrent, endsWhenGone: target.kind.endsWhenGone))
    }

    var record: CallbackTargetRecord { state.withLock { $0.record } }
    var coolsDownUntil: MonotonicInstant? { state.withLock { $0.coolsDownUntil } }

    /// Makes the lane look at the journal again.
    func wake() { wish.withLock { $0 }.signal() }

    /// Sends messages until the task is cancelled, and then waits 2 s for the answers to those that are being sent.
    func run() async {
        await withDiscardingTaskGroup { tasks in
            var failedLooks = 0
            // An earlier daemon may have stored times of a clock that was set back since.
            var (afterStep, last) = (true, parts.clock.date)
            while !Task.isCancelled {
                let event = AsyncEvent()
                wish.withLock { $0 = event }
                let (now, date) = (parts.clock.now, parts.clock.date)
                afterStep = afterStep || date < last
                last = date
                var wait = Self.maxWait
                let count = state.withLock { $0.look(at: now) }
                if count > 0 {
                    if let due = await parts.store.dueCallbacks(
                        of: target.name, at: date, afterStep: afterStep, atMost: count)
                    {
                        (failedLooks, afterStep) = (0, due.hasStepped)
                        for callback in due.callbacks where state.withLock({ $0.begin(callback, at: now) }) {
                            tasks.addTask { await self.send(callback) }
                        }
                        if let next = due.next { wait = min(wait, .seconds(next.timeIntervalSince(date))) }
                    } else if !Task.isCancelled {
                        if failedLooks.isMultiple(of: Self.looksOfReport) { warnOfJournal() }
                        failedLooks += 1
                        wait = Self.pause
                    }
                }
                if let rest = coolsDownUntil, rest > now { wait = min(wait, now.duration(to: rest)) }
                await event.wait(until: now.advanced(by: max(.milliseconds(1), wait)), on: parts.clock)
            }
            tasks.cancelAll()
        }
    }

    private func warnOfJournal() {
        parts.logger.warning(
            "the due callbacks cannot be read from the journal; the next try is in 1 s",
            metadata: ["target": "\(target.name)"])
    }

    private func send(_ callback: Callback) async {
        defer {
            state.withLock { $0.leave(callback) }
            wake()
        }
        guard let answer = await answer(to: callback) else { return }
        let (moment, random) = (parts.clock.reading, parts.random())
        let ending = state.withLock { $0.ended(callback, answer, at: moment, random: random) }
        count(ending.attempt)
        log(ending, of: callback)
        // Until the journal has the change, the message counts as being sent. So a full disk causes no repetition.
        _ = await parts.store.store(ending.attempt, ending.record)
    }

    /// Sends a message and returns the answer; `nil` if the lane ends before the answer comes. Such a message may have
    /// arrived, so it stays due, and comes again with the same id.
    private func answer(to callback: Callback) async -> OutgoingAnswer? {
        let request = Task { await sender.send(callback, at: parts.clock.date) }
        let alarm = Guarded<ClockAlarm?>(nil)
        defer { alarm.withLock { $0.take() }?.cancel() }
        let answer = await withTaskCancellationHandler {
            await request.value
        } onCancel: {
            let end = parts.clock.now.advanced(by: Self.grace)
            alarm.withLock { $0 = parts.clock.alarm(at: end) { request.cancel() } }
        }
        return request.isCancelled ? nil : answer
    }

    private func count(_ attempt: CallbackAttempt) {
        let result = attempt.state == .pending ? "retried" : attempt.state.rawValue
        // Targets come from the configuration, so the number of labels is limited.
        Counter(
            label: "appgroupd_callback_attempts_total", dimensions: [("target", attempt.target), ("result", result)]
        ).increment()
    }

    private func log(_ ending: CallbackLaneState.Ending, of callback: Callback) {
        let attempt = ending.attempt
        if let problem = attempt.problem {
            var metadata: Logger.Metadata = [
                "target": "\(target.name)", "callback": "\(attempt.id)", "id": "\(callback.key.id)",
                "group": "\(callback.key.group)", "problem": "\(problem)",
            ]
            for (name, value) in callback.trace.logFields { metadata[name] = "\(value)" }
            if attempt.state == .failed {
                parts.logger.error("a callback has failed for the last time", metadata: metadata)
            } else {
                parts.logger.info("a callback has failed", metadata: metadata)
            }
        }
        if let reason = ending.disabled {
            parts.logger.error(
                "a callback target is disabled: appgroupd callbacks recover enables it",
                metadata: ["target": "\(target.name)", "reason": "\(reason)"])
        }
    }

    /// Enables or disables the target, and returns its new record for the journal.
    func change(_ body: (inout CallbackLaneState) -> CallbackTargetRecord) -> CallbackTargetRecord {
        state.withLock { body(&$0) }
    }
}
