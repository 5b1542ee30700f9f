import Base
import FoundationEssentials
import NotificationModel
import Testing

@testable import Features

/// Tests of the state of a target: its room, its rests, and its end.
@Suite struct CallbackLaneStateTests {
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)
    private static let start = MonotonicInstant.now
    private static let failure = OutgoingAnswer.answered(status: 500, retryAfter: nil, body: [])
    private static let success = OutgoingAnswer.answered(status: 200, retryAfter: nil, body: [])
    private static let gone = OutgoingAnswer.answered(status: 410, retryAfter: nil, body: [])

    private var state = CallbackLaneState(CallbackTargetRecord(name: "a"), concurrent: 4)

    private static func instant(_ seconds: Double) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

    private static func callback(_ number: Int, attempts: Int = 0, url: String? = nil) throws -> Callback {
        let key = RequestKey(group: .default, id: try #require(RequestID("r\(number)")))
        return Callback(
            number: number, id: "msg_\(number)", target: "a", key: key, type: "notification.rich", url: url,
            attempts: attempts, createdAt: date)
    }

    @Test func `a choice of a recipient waits for the earlier choice that is being sent`() throws {
        func choice(_ number: Int, of recipient: String) throws -> Callback {
            var choice = try Self.callback(number)
            choice.type = "recipient.unsubscribed"
            choice.key.id = try #require(RequestID(recipient))
            return choice
        }
        var state = CallbackLaneState(CallbackTargetRecord(name: "a"), concurrent: 4)
        var begun: [Bool] = []
        for (number, recipient) in [(1, "anna"), (2, "anna"), (3, "ben")] {
            begun.append(state.begin(try choice(number, of: recipient), at: Self.start))
        }
        #expect(begun == [true, false, true])
        state.leave(try choice(1, of: "anna"))
        let isBegun = state.begin(try choice(2, of: "anna"), at: Self.start)
        #expect(isBegun)
    }

    /// Makes an attempt with this answer.
    ///
    /// - Parameter seconds: The time since the start of the test, on both clocks.
    private mutating func attempt(
        _ answer: OutgoingAnswer, attempts: Int = 0, url: String? = nil, at seconds: Double = 0
    ) throws -> CallbackLaneState.Ending {
        let callback = try Self.callback(1, attempts: attempts, url: url)
        defer { state.leave(callback) }
        let moment = ClockReading(instant: Self.instant(seconds), date: Self.date.addingTimeInterval(seconds))
        return state.ended(callback, answer, at: moment, random: 0)
    }

    /// Makes a number of failed attempts, one each hour, and returns the endings.
    private mutating func failHourly(_ hours: ClosedRange<Int>) throws -> [CallbackLaneState.Ending] {
        var endings: [CallbackLaneState.Ending] = []
        for hour in hours { endings.append(try attempt(.failed("no route"), at: Double(hour) * 3_600)) }
        return endings
    }

    @Test mutating func `as many messages are sent at a time as the target permits, each of them once`() throws {
        var begun: [Bool] = []
        for number in 0..<5 { begun.append(state.begin(try Self.callback(number), at: Self.start)) }
        #expect(begun == [true, true, true, true, false] && state.room(at: Self.start) == 0)
        state.leave(try Self.callback(0))
        let count = state.look(at: Self.start)
        let isRepeated = state.begin(try Self.callback(1), at: Self.start)
        let isFurther = state.begin(try Self.callback(4), at: Self.start)
        #expect(count == 4 && !isRepeated && isFurther && state.running == 4)
    }

    @Test mutating func `a look at the journal that began before the end of an attempt does not repeat it`() throws {
        let callback = try Self.callback(0)
        let isBegun = state.begin(callback, at: Self.start)
        let count = state.look(at: Self.start)
        state.leave(callback)
        let isRepeated = state.begin(callback, at: Self.start)
        _ = state.look(at: Self.start)
        let isTriedLater = state.begin(callback, at: Self.start)
        #expect(isBegun && count == 4 && !isRepeated && isTriedLater)
    }

    @Test mutating func `an accepted message is delivered, and a refused one has a later attempt`() throws {
        let delivered = try attempt(Self.success).attempt
        #expect(delivered.state == .delivered && delivered.dueAt == nil && delivered.status == 200)
        let retried = try attempt(Self.failure).attempt
        #expect(retried.state == .pending && retried.dueAt == Self.date.addingTimeInterval(5))
        #expect(retried.problem == "the target answered 500")
        let last = try attempt(Self.failure, attempts: 9).attempt
        #expect(last.state == .failed && last.dueAt == nil)
    }

    @Test mutating func `after five failures in a row the target rests, and one message tests it`() throws {
        for _ in 0..<4 { _ = try attempt(Self.failure) }
        #expect(state.room(at: Self.start) == 4)
        _ = try attempt(Self.failure)
        #expect(state.coolsDownUntil == Self.instant(30))
        #expect(state.room(at: Self.instant(29)) == 0)
        #expect(state.room(at: Self.instant(30)) == 1)
        _ = try attempt(Self.failure, at: 30)
        #expect(state.coolsDownUntil == Self.instant(90))
        _ = try attempt(Self.success, at: 90)
        #expect(state.coolsDownUntil == nil && state.room(at: Self.instant(90)) == 4)
    }

    @Test
    mutating func `requests that were sent before a rest do not extend it, and no rest is longer than ten minutes`()
        throws
    {
        for _ in 0..<8 { _ = try attempt(Self.failure) }
        #expect(state.coolsDownUntil == Self.instant(30))
        var end = Self.start
        for _ in 0..<10 {
            end = try #require(state.coolsDownUntil)
            _ = try attempt(Self.failure, at: (end - Self.start).seconds)
        }
        #expect(state.coolsDownUntil == end.advanced(by: .seconds(600)))
    }

    @Test mutating func `a rest is measured on the clock that is never set`() throws {
        for _ in 0..<5 {
            let moment = ClockReading(instant: Self.start, date: Self.date.addingTimeInterval(86_400))
            _ = state.ended(try Self.callback(1), Self.failure, at: moment, random: 0)
        }
        #expect(state.room(at: Self.instant(29)) == 0 && state.room(at: Self.instant(30)) == 1)
    }

    @Test mutating func `a message that the target refuses does not make the target rest`() throws {
        for status in [400, 301, 404] {
            for _ in 0..<10 { _ = try attempt(.answered(status: status, retryAfter: nil, body: [])) }
        }
        #expect(state.coolsDownUntil == nil && state.room(at: Self.start) == 4)
    }

    @Test mutating func `the target rests for the time that it asks for`() throws {
        let ending = try attempt(.answered(status: 429, retryAfter: .seconds(120), body: []))
        #expect(ending.attempt.dueAt == Self.date.addingTimeInterval(120))
        #expect(state.coolsDownUntil == Self.instant(120) && state.room(at: Self.start) == 0)
    }

    @Test mutating func `status 410 disables the target, and its message stays for a recovery`() throws {
        let ending = try attempt(Self.gone, attempts: 9)
        #expect(ending.disabled == "the target answered 410 (Gone)" && ending.record?.disabledAt == Self.date)
        #expect(ending.attempt.state == .pending)
        #expect(state.room(at: Self.instant(1e9)) == 0)
        var record = state.enable()
        #expect(record.version == 2 && state.room(at: Self.start) == 4)
        record.version = 0
        #expect(record == CallbackTargetRecord(name: "a"))
    }

    @Test mutating func `the answers of a URL that a request names end its message, and do not concern the target`()
        throws
    {
        let url = "https://gw.example/removed"
        let gone = try attempt(Self.gone, url: url)
        #expect(gone.attempt.state == .failed && gone.attempt.status == 410 && gone.attempt.dueAt == nil)
        #expect(gone.record == nil && gone.disabled == nil)
        for _ in 0..<9 {
            let ending = try attempt(.answered(status: 429, retryAfter: .seconds(86_400), body: []), url: url)
            #expect(ending.record == nil && ending.attempt.state == .pending)
            #expect(ending.attempt.dueAt == Self.date.addingTimeInterval(86_400))
        }
        #expect(state.coolsDownUntil == nil && state.room(at: Self.start) == 4)
        _ = try attempt(Self.failure)
        let accepted = try attempt(Self.success, url: url)
        #expect(accepted.attempt.state == .delivered && accepted.record == nil && state.record.failures == 1)
    }

    @Test mutating func `status 410 of a server that answers it for one message ends only this message`() throws {
        state = CallbackLaneState(CallbackTargetRecord(name: "a"), concurrent: 4, endsWhenGone: false)
        let ending = try attempt(Self.gone)
        #expect(ending.attempt.state == .failed && ending.record == nil && ending.disabled == nil)
        #expect(state.room(at: Self.start) == 4)
    }

    @Test mutating func `five days of nothing but failures disable the target`() throws {
        let endings = try failHourly(0...120)
        #expect(endings.first?.record?.failingSince == Self.date)
        #expect(endings.dropLast().allSatisfy { $0.disabled == nil })
        #expect(endings.last?.disabled == "all attempts have failed for five days: no route")
        // Requests that were running meanwhile do not report it again.
        let running = try attempt(.failed("no route"), at: 120 * 3_600)
        #expect(running.disabled == nil)
    }

    @Test mutating func `a success ends the count of days`() throws {
        _ = try failHourly(0...119)
        let success = try attempt(Self.success, at: 119.5 * 3_600)
        #expect(success.record != nil && success.record?.failingSince == nil)
        let endings = try failHourly(120...239)
        #expect(endings.allSatisfy { $0.disabled == nil })
        let last = try attempt(.failed("no route"), at: 240 * 3_600)
        #expect(last.disabled != nil)
    }

    @Test mutating func `a refused message and a failure five days later do not disable the target`() throws {
        _ = try attempt(.answered(status: 400, retryAfter: nil, body: []))
        let endings = try failHourly(144...163)
        #expect(endings.allSatisfy { $0.disabled == nil })
        #expect(endings.first?.record?.failingSince == Self.date.addingTimeInterval(144 * 3_600))
    }

    @Test mutating func `fewer than ten failures do not disable the target`() throws {
        for day in 0..<9 {
            let ending = try attempt(Self.failure, at: Double(day) * 86_400)
            #expect(ending.disabled == nil)
        }
        let last = try attempt(Self.failure, at: 9 * 86_400)
        #expect(last.disabled != nil)
    }

    @Test mutating func `each change of the record has a larger number`() throws {
        let failed = try attempt(Self.failure)
        let disabled = state.disable("disabled by an operator", at: Self.date)
        let again = state.disable("disabled by an operator", at: Self.date)
        let enabled = state.enable()
        let success = try attempt(Self.success)
        #expect(failed.record?.version == 1 && disabled.version == 2 && again.version == 2 && enabled.version == 3)
        #expect(success.record == nil)
    }

    @Test mutating func `an operator disables a target until it is enabled`() throws {
        let record = state.disable("disabled by an operator", at: Self.date)
        #expect(record.reason == "disabled by an operator" && state.room(at: Self.start) == 0)
        let isBegun = state.begin(try Self.callback(1), at: Self.start)
        _ = state.enable()
        let isBegunAgain = state.begin(try Self.callback(1), at: Self.start)
        #expect(!isBegun && isBegunAgain)
    }
}
