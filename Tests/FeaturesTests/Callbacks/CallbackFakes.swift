import Authentication
import Base
import FoundationEssentials
import Logging
import NotificationModel
import TestSupport

@testable import Features

/// A store in memory that behaves like the journal, without its quota and its lists.
final class MemoryCallbacks: CallbackStoring {
    struct State {
        var callbacks: [Callback] = []
        var records: [String: CallbackTargetRecord] = [:]
        var added: @Sendable (Set<String>) -> Void = { _ in }
        /// A step between the read of the records and their return.
        var afterRead: (@Sendable () async -> Void)?
        /// Whether due messages cannot be read.
        var isUnreadable = false
        /// The number of looks for due messages, and of steps of a recovery.
        var (looks, recoveries) = (0, 0)
    }

    let state = Guarded(State())
    let droppedCallbacks = 0

    /// Adds messages to a target, as a transaction does.
    func add(_ numbers: Range<Int>, to target: String, at date: Date) {
        let added = state.withLock { state in
            for number in numbers {
                let key = RequestKey(group: .default, id: RequestID("r\(number)")!)
                state.callbacks.append(
                    Callback(
                        number: number, id: "msg_\(number)", target: target, key: key, type: "notification.rich",
                        body: Array(#"{"number":\#(number)}"#.utf8), createdAt: date, dueAt: date))
            }
            return state.added
        }
        added([target])
    }

    func states(of target: String) -> [Callback.State] {
        state.withLock { $0.callbacks.filter { $0.target == target }.map(\.state) }
    }

    func route(by routing: CallbackRouting?, _ added: @escaping @Sendable (Set<String>) -> Void) {
        state.withLock { $0.added = added }
    }

    func dueCallbacks(
        of target: String, at date: Date, afterStep: Bool, atMost count: Int
    ) async -> DueCallbacks? {
        state.withLock { state in
            state.looks += 1
            guard !state.isUnreadable else { return nil }
            let pending = state.callbacks.filter { $0.target == target && $0.dueAt != nil }
            let due = pending.filter { $0.dueAt! <= date }.sorted { $0.dueAt! < $1.dueAt! }
            return DueCallbacks(
                callbacks: Array(due.prefix(count)), next: pending.compactMap(\.dueAt).filter { $0 > date }.min())
        }
    }

    func store(_ attempt: CallbackAttempt?, _ record: CallbackTargetRecord?) async -> Bool {
        state.withLock { state in
            if let record, record.version > state.records[record.name]?.version ?? -1 {
                state.records[record.name] = record
            }
            guard let attempt, let index = state.callbacks.firstIndex(where: { $0.id == attempt.id }) else { return }
            state.callbacks[index].state = attempt.state
            state.callbacks[index].dueAt = attempt.dueAt
            state.callbacks[index].attempts += 1
        }
        return true
    }

    func resendCallback(_ id: String, at date: Date) async -> Bool? {
        state.withLock { state in
            guard let index = state.callbacks.firstIndex(where: { $0.id == id }) else { return false }
            (state.callbacks[index].state, state.callbacks[index].dueAt) = (.pending, date)
            return true
        }
    }

    func recoverCallbacks(
        of target: String, since date: Date, after number: Int, at now: Date
    ) async -> (count: Int, last: Int)? {
        state.withLock { state in
            state.recoveries += 1
            // A step has at most two messages, so that a recovery has several steps.
            let found = state.callbacks.indices.filter {
                let callback = state.callbacks[$0]
                return callback.number > number && callback.target == target && callback.state == .failed
                    && callback.createdAt >= date
            }.prefix(2)
            for index in found { (state.callbacks[index].state, state.callbacks[index].dueAt) = (.pending, now) }
            return (found.count, found.last.map { state.callbacks[$0].number } ?? number)
        }
    }

    func callbacks(_ query: CallbackQuery) async -> ListPage<Callback>? { nil }
    func callback(_ id: String) async -> Callback?? {
        .some(state.withLock { $0.callbacks.first { $0.id == id } })
    }

    func callbackTargets() async -> [CallbackTargetRecord]? {
        let (records, afterRead) = state.withLock { (Array($0.records.values), $0.afterRead) }
        await afterRead?()
        return records
    }

    func callbackBacklogs() async -> [String: CallbackBacklog]? {
        state.withLock { state in
            state.callbacks.reduce(into: [:]) { counts, callback in
                if callback.state == .pending { counts[callback.target, default: CallbackBacklog()].pending += 1 }
            }
        }
    }
}

/// A network whose answers a test gives.
final class FakeNetwork: OutgoingCalling {
    let calls = Record<OutgoingCall>()
    private let waiting = Guarded<[(url: String, waiter: Waiter<OutgoingAnswer>)]>([])
    private let answers: @Sendable (OutgoingCall) -> OutgoingAnswer?

    /// - Parameter answers: The answer to a call; `nil` for a call that hangs until `finish`.
    init(_ answers: @escaping @Sendable (OutgoingCall) -> OutgoingAnswer?) { self.answers = answers }

    func send(_ call: OutgoingCall) async -> OutgoingAnswer {
        calls.append(call)
        if let answer = answers(call) { return answer }
        let waiter = Waiter<OutgoingAnswer>()
        waiting.withLock { $0.append((call.url, waiter)) }
        return await waiter.value { $0.resume(returning: .failed("cancelled")) }
    }

    var hanging: Int { waiting.withLock { $0.count } }

    func finish(with answer: OutgoingAnswer) {
        let all = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for one in all { one.waiter.resume(returning: answer) }
    }

    func calls(to url: String) -> Int { calls.elements.count { $0.url == url } }
}

/// A log that keeps the text of its warnings.
private struct WarningLog: LogHandler {
    let warnings: Record<String>
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .warning

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        if event.level == .warning { warnings.append("\(event.message)") }
    }
}

/// Callbacks that run on a clock of the test.
struct CallbackBench {
    let store: MemoryCallbacks
    let clock = ManualClock()
    let network: FakeNetwork
    let callbacks: Callbacks
    let warnings = Record<String>()

    static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    /// - Parameter store: The store of a bench that has ended, for callbacks after a restart.
    init(
        _ names: String..., concurrent: Int = 4, store: MemoryCallbacks = MemoryCallbacks(),
        answers: @escaping @Sendable (OutgoingCall) -> OutgoingAnswer?
    ) throws {
        self.store = store
        network = FakeNetwork(answers)
        callbacks = Callbacks(
            try Self.settings(names, concurrent: concurrent), store: store, caller: network, clock: clock,
            logger: Logger(label: "test") { [warnings] _ in WarningLog(warnings: warnings) }, random: { 0 })
    }

    static func settings(_ names: [String], concurrent: Int) throws -> Callbacks.Settings {
        let targets = try names.map { name in
            CallbackTarget(
                name: name, kind: .webhook(url: url(name), keys: try WebhookKeys(secret)), shownURL: url(name),
                routing: .init(name: name), concurrent: concurrent)
        }
        return Callbacks.Settings(targets: targets)
    }

    static func url(_ name: String) -> String { "https://\(name).example/hook" }

    /// Runs the callbacks for the time of a body.
    func run(_ body: () async throws -> Void) async throws {
        let ended = AsyncEvent()
        let running = Task {
            await callbacks.run()
            ended.signal()
        }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        running.cancel()
        // The requests without an answer have a moment to end.
        while !ended.isSignalled {
            if network.hanging > 0 { clock.advance(by: .seconds(2)) }
            await Task.yield()
        }
        try result.get()
    }
}
