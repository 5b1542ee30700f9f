import FoundationEssentials
import NotificationModel
import Primitives
import Testing

@testable import Callbacks

/// Tests of the state of a target: its room, its rests, and its end.
@Suite struct CallbackLaneStateTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private static let failure = OutgoingAnswer.answered(status: 500, retryAfter: nil, body: [])
    private static let success = OutgoingAnswer.answered(status: 200, retryAfter: nil, body: [])

    private var state = CallbackLaneState(CallbackTargetRecord(name: "a"), concurrent: 4)

    private static func callback(_ number: Int, attempts: Int = 0) throws -> Callback {
        let key = RequestKey(group: .default, id: try #require(RequestID("r\(number)")))
        return Callback(
            number: number, id: "msg_\(number)", target: "a", key: key, type: "notification.rich", attempts: attempts,
            createdAt: start)
    }

    private mutating func attempt(
        _ answer: OutgoingAnswer, attempts: Int = 0, at date: Date = Self.start
    ) throws -> CallbackLaneState.Ending {
        let callback = try Self.callback(1, attempts: attempts)
        defer { state.leave(callback) }
        return state.ended(callback, answer, at: date, random: 0)
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
        #expect(retried.state == .pending && retried.dueAt == Self.start.addingTimeInterval(5))
        #expect(retried.problem == "the target answered 500")
        let last = try attempt(Self.failure, attempts: 9).attempt
        #expect(last.state == .failed && last.dueAt == nil)
    }

    @Test mutating func `after five failures in a row the target rests, and one message tests it`() throws {
        for _ in 0..<4 { _ = try attempt(Self.failure) }
        #expect(state.room(at: Self.start) == 4)
        _ = try attempt(Self.failure)
        #expect(state.restsUntil == Self.start.addingTimeInterval(30))
        #expect(state.room(at: Self.start.addingTimeInterval(29)) == 0)
        let (first, second) = (Self.start.addingTimeInterval(30), Self.start.addingTimeInterval(90))
        #expect(state.room(at: first) == 1)
        _ = try attempt(Self.failure, at: first)
        #expect(state.restsUntil == second)
        _ = try attempt(Self.success, at: second)
        #expect(state.restsUntil == nil && state.room(at: second) == 4)
    }

    @Test
    mutating func `requests that were sent before a rest do not extend it, and no rest is longer than ten minutes`()
        throws
    {
        for _ in 0..<8 { _ = try attempt(Self.failure) }
        #expect(state.restsUntil == Self.start.addingTimeInterval(30))
        var date = Self.start
        for _ in 0..<10 {
            date = try #require(state.restsUntil)
            _ = try attempt(Self.failure, at: date)
        }
        #expect(state.restsUntil == date.addingTimeInterval(600))
    }

    @Test mutating func `a message that the target refuses does not make the target rest`() throws {
        for status in [400, 301, 404] {
            for _ in 0..<10 { _ = try attempt(.answered(status: status, retryAfter: nil, body: [])) }
        }
        #expect(state.restsUntil == nil && state.room(at: Self.start) == 4)
    }

    @Test mutating func `the target rests for the time that it asks for`() throws {
        let ending = try attempt(.answered(status: 429, retryAfter: .seconds(120), body: []))
        #expect(ending.attempt.dueAt == Self.start.addingTimeInterval(120))
        #expect(state.restsUntil == Self.start.addingTimeInterval(120) && state.room(at: Self.start) == 0)
    }

    @Test mutating func `status 410 disables the target, and its message stays for a recovery`() throws {
        let ending = try attempt(.answered(status: 410, retryAfter: nil, body: []), attempts: 9)
        #expect(ending.disabled == "the target answered 410 (Gone)" && ending.record?.disabledAt == Self.start)
        #expect(ending.attempt.state == .pending)
        #expect(state.room(at: .distantFuture) == 0)
        let record = state.enable()
        #expect(record == CallbackTargetRecord(name: "a") && state.room(at: Self.start) == 4)
    }

    @Test mutating func `five days of nothing but failures disable the target, and a success ends the count`() throws {
        let day = 86_400.0
        func date(_ days: Double) -> Date { Self.start.addingTimeInterval(days * day) }
        let first = try attempt(Self.failure, at: date(0))
        #expect(first.record?.failingSince == date(0))
        let second = try attempt(Self.failure, at: date(4.9))
        let success = try attempt(Self.success, at: date(4.95))
        #expect(second.disabled == nil && success.record != nil && success.record?.failingSince == nil)
        let third = try attempt(Self.failure, at: date(5))
        let fourth = try attempt(.failed("no route"), at: date(9.9))
        #expect(third.disabled == nil && fourth.disabled == nil)
        let last = try attempt(.failed("no route"), at: date(10))
        #expect(last.disabled == "all attempts have failed for five days: no route")
        // Requests that were running meanwhile do not report it again.
        let running = try attempt(.failed("no route"), at: date(10))
        #expect(running.disabled == nil)
    }

    @Test mutating func `an operator disables a target until it is enabled`() throws {
        let record = state.disable("disabled by an operator", at: Self.start)
        #expect(record.reason == "disabled by an operator" && state.room(at: Self.start) == 0)
        let isBegun = state.begin(try Self.callback(1), at: Self.start)
        _ = state.enable()
        let isBegunAgain = state.begin(try Self.callback(1), at: Self.start)
        #expect(!isBegun && isBegunAgain)
    }
}
