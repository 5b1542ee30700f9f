import Base
import FoundationEssentials
import NotificationModel

/// The state of one target: its running requests, its cooldowns, and the time since which it only fails.
///
/// The state is pure: the lane takes an answer, gets the changes for the journal, and performs them.
struct CallbackLaneState: Sendable {
    /// The number of failures in a row after which the target cools down.
    static let maxFailures = 5
    /// The first cooldown, and the longest one. Each failed attempt doubles the cooldown.
    static let firstCooldown: Duration = .seconds(30)
    static let maxCooldown: Duration = .seconds(600)
    /// The time of nothing but failures after which the target is disabled.
    static let maxFailure: TimeInterval = 5 * 86_400
    /// The number of failures without a success before which no target is disabled.
    static let minFailures = 10
    /// The longest time between two failures of the same series. Two attempts of one message are never further apart.
    static let maxGap: TimeInterval = CallbackSchedule.maxPause.seconds * (1 + CallbackSchedule.jitter)

    /// The changes after an answer, which the lane performs.
    struct Ending: Sendable, Equatable {
        var attempt: CallbackAttempt
        /// The record of the target; `nil` if it has not changed.
        var record: CallbackTargetRecord?
        /// A sentence about why the target gets no further message; `nil` if it gets further ones.
        var disabled: String?
    }

    private(set) var record: CallbackTargetRecord
    private let concurrent: Int
    /// Whether status 410 disables the target. If not, it concerns only the message.
    private let endsWhenGone: Bool
    /// The requests of the messages that are being sent, by the numbers of the messages.
    private var inFlight: [Int: RequestKey] = [:]
    /// The messages whose attempts have ended since the last look at the journal began. The look may show them as due.
    private var endedSinceLook: Set<Int> = []
    /// The number of failures of the target in a row.
    private var failures = 0
    private var cooldown = Self.firstCooldown
    private(set) var coolsDownUntil: MonotonicInstant?

    init(_ record: CallbackTargetRecord, concurrent: Int, endsWhenGone: Bool = true) {
        self.record = record
        self.concurrent = concurrent
        self.endsWhenGone = endsWhenGone
    }

    /// The number of messages that are being sent.
    var running: Int { inFlight.count }

    /// Begins a look at the journal, and returns the number of messages to ask for; 0 if there is no room for one.
    mutating func look(at now: MonotonicInstant) -> Int {
        endedSinceLook = []
        let room = room(at: now)
        // The messages that are being sent are due too.
        return room > 0 ? room + running : 0
    }

    /// Returns the number of further messages that may be sent at a time. After a cooldown, one message tests the target.
    func room(at now: MonotonicInstant) -> Int {
        guard record.disabledAt == nil, coolsDownUntil.map({ $0 <= now }) ?? true else { return 0 }
        return max(0, (failures >= Self.maxFailures ? 1 : concurrent) - inFlight.count)
    }

    /// Begins an attempt; returns `false` if the message is being sent already, if its attempt has ended during the look
    /// at the journal, if an earlier choice of the same recipient is being sent, or if there is no room.
    mutating func begin(_ callback: Callback, at now: MonotonicInstant) -> Bool {
        guard room(at: now) > 0, !endedSinceLook.contains(callback.number), inFlight[callback.number] == nil else {
            return false
        }
        // A server that gets an earlier choice of a recipient after a later one would keep the earlier one.
        if callback.isChoiceOfRecipient, inFlight.values.contains(callback.key) { return false }
        inFlight[callback.number] = callback.key
        return true
    }

    /// Ends an attempt without a change, or after its change is durable.
    mutating func leave(_ callback: Callback) {
        inFlight[callback.number] = nil
        endedSinceLook.insert(callback.number)
    }

    /// Takes the answer of an attempt.
    ///
    /// A request chooses its URL, so the answer of that URL shows nothing about the target, and ends only the message.
    ///
    /// - Parameter random: A number from 0 to 1 for the jitter.
    mutating func ended(
        _ callback: Callback, _ answer: OutgoingAnswer, at moment: ClockReading, random: Double
    ) -> Ending {
        let (verdict, date) = (CallbackVerdict(answer), moment.date)
        let before = record
        let isOfMessage = callback.url != nil || (verdict.kind == .gone && !endsWhenGone)
        let disabled = isOfMessage ? nil : take(verdict, at: moment)
        if record != before { record.version += 1 }
        let pause = CallbackSchedule.pause(
            after: callback.attempts + 1, retryAfter: verdict.retryAfter, random: random)
        var attempt = CallbackAttempt(callback, .delivered, at: date)
        if verdict.kind != .delivered {
            // A message to a target that is disabled now is sent when the target is recovered.
            let isLast = (isOfMessage && verdict.kind == .gone) || (pause == nil && disabled == nil)
            attempt.state = isLast ? .failed : .pending
            attempt.dueAt = isLast ? nil : date.addingTimeInterval((pause ?? .zero).seconds)
        }
        attempt.status = verdict.status
        attempt.problem = verdict.problem
        return Ending(
            attempt: attempt, record: record == before ? nil : record,
            disabled: record.disabledAt != before.disabledAt ? disabled : nil)
    }

    /// Takes an answer that shows whether the target works, and returns why it disables the target; `nil` if it does not.
    private mutating func take(_ verdict: CallbackVerdict, at moment: ClockReading) -> String? {
        guard verdict.kind != .delivered else {
            (failures, cooldown, coolsDownUntil) = (0, Self.firstCooldown, nil)
            (record.failingSince, record.failedAt, record.failures) = (nil, nil, 0)
            return nil
        }
        let date = moment.date
        // Days without an attempt show nothing, so the failures before them do not count.
        let goesOn = record.failedAt.map { date.timeIntervalSince($0) <= Self.maxGap } ?? false
        if !goesOn || record.failingSince == nil { (record.failingSince, record.failures) = (date, 0) }
        record.failedAt = date
        record.failures += 1
        if verdict.kind == .unavailable { restAfterFailure(verdict, at: moment.instant) } else { failures = 0 }
        let disabled = reason(verdict, at: date)
        if let disabled, record.disabledAt == nil { (record.disabledAt, record.reason) = (date, disabled) }
        return disabled
    }

    private mutating func restAfterFailure(_ verdict: CallbackVerdict, at now: MonotonicInstant) {
        failures += 1
        if let retryAfter = verdict.retryAfter {
            let end = now.advanced(by: min(retryAfter, CallbackSchedule.maxPause))
            coolsDownUntil = max(coolsDownUntil ?? end, end)
        }
        // Requests that were sent before the cooldown began do not extend it.
        guard failures >= Self.maxFailures, coolsDownUntil.map({ $0 <= now }) ?? true else { return }
        coolsDownUntil = now.advanced(by: cooldown)
        cooldown = min(cooldown * 2, Self.maxCooldown)
    }

    /// Returns why a failure disables the target; `nil` if it does not.
    private func reason(_ verdict: CallbackVerdict, at date: Date) -> String? {
        if verdict.kind == .gone { return "the target answered 410 (Gone)" }
        guard let since = record.failingSince, date.timeIntervalSince(since) >= Self.maxFailure,
            record.failures >= Self.minFailures
        else { return nil }
        return "all attempts have failed for five days: \(verdict.problem ?? "no answer")"
    }

    /// Enables the target, with a record without failures.
    mutating func enable() -> CallbackTargetRecord {
        var fresh = CallbackTargetRecord(name: record.name)
        fresh.version = record.version + 1
        record = fresh
        (failures, cooldown, coolsDownUntil) = (0, Self.firstCooldown, nil)
        return record
    }

    mutating func disable(_ reason: String, at date: Date) -> CallbackTargetRecord {
        guard record.disabledAt == nil else { return record }
        (record.disabledAt, record.reason) = (date, reason)
        record.version += 1
        return record
    }
}
