package import FoundationEssentials
import GRDB
package import NotificationModel
import Primitives

/// A change of messages to callback targets that waits for its transaction.
struct CallbackWrite: Sendable {
    enum Change: Sendable {
        case attempt(CallbackAttempt?, CallbackTargetRecord?)
        case resend(String, at: Date)
        case recover(target: String, since: Date, after: Int, at: Date)
    }

    enum Answer: Sendable {
        case done(count: Int, last: Int)
        case failed
    }

    let change: Change
    let answer = Waiter<Answer>()

    /// Whether the change is tried again after a failed transaction.
    var isKept: Bool { if case .attempt = change { true } else { false } }
}

/// The targets that get messages, and the function that wakes their sender.
struct CallbackLink: Sendable {
    let routing: CallbackRouting
    let added: @Sendable (Set<String>) -> Void
}

/// The messages to callback targets. They are inserted by the transactions of results and receipts. Due messages are
/// read over a connection of their own, and lists over that of other lists, so that a long list delays no attempt and no
/// request.
extension RequestJournal: CallbackStoring {
    package nonisolated func route(
        by routing: CallbackRouting?, _ added: @escaping @Sendable (Set<String>) -> Void
    ) {
        let link = routing.map { CallbackLink(routing: $0, added: added) }
        callbackLink.withLock { $0 = link }
        let names = Set(routing?.targets.map(\.name) ?? [])
        callbackTargetNames.withLock { $0 = names }
    }

    package nonisolated func dueCallbacks(
        of target: String, at date: Date, atMost count: Int
    ) async -> DueCallbacks? {
        await read { try $0.due(of: target, at: date, atMost: count) }
    }

    package nonisolated func callbacks(_ query: CallbackQuery) async -> ListPage<Callback>? {
        await read(over: listReader) { try $0.page(query) }
    }

    package nonisolated func callback(_ id: String) async -> Callback?? {
        await read(over: listReader) { try $0.callback(id) }
    }

    package nonisolated func callbackTargets() async -> [CallbackTargetRecord]? { await read { try $0.targets() } }

    package nonisolated func callbackBacklogs() async -> [String: CallbackBacklog]? {
        await read { try $0.backlogs() }
    }

    package nonisolated var droppedCallbacks: Int { dropped.withLock { $0 } }

    package nonisolated func store(_ attempt: CallbackAttempt?, _ record: CallbackTargetRecord?) async -> Bool {
        let write = CallbackWrite(change: .attempt(attempt, record))
        add { $0.callbacks.append(write) }
        if case .done = await write.answer.value(onCancel: { $0.resume(returning: .failed) }) { return true }
        return false
    }

    package nonisolated func resendCallback(_ id: String, at date: Date) async -> Bool? {
        await change(.resend(id, at: date)).map { $0.count > 0 }
    }

    package nonisolated func recoverCallbacks(
        of target: String, since date: Date, after number: Int, at now: Date
    ) async -> (count: Int, last: Int)? {
        await change(.recover(target: target, since: date, after: number, at: now))
    }

    private nonisolated func change(_ change: CallbackWrite.Change) async -> (count: Int, last: Int)? {
        let write = CallbackWrite(change: change)
        add { $0.callbacks.append(write) }
        guard case .done(let count, let last) = await write.answer.value() else { return nil }
        return (count, last)
    }

    private nonisolated func read<Value: Sendable>(
        over reader: JournalReader? = nil, _ body: @escaping @Sendable (CallbackRows) throws -> Value
    ) async -> Value? {
        try? await (reader ?? callbackReader).readLists { try body(CallbackRows($0.database)) }
    }

    /// Removes old messages, and returns whether more can be removed.
    func forgetCallbacks(at now: Date, atMost count: Int) throws -> Bool {
        let limits = limits.callbacks
        let date = now.addingTimeInterval(-limits.retention.seconds)
        let targets = callbackTargetNames.withLock { $0 }
        let (removed, unwanted) = try database.database.write { database in
            let rows = CallbackRows(database)
            let unwanted = try targets.map { try rows.forget(createdBefore: date, except: $0, atMost: count) } ?? 0
            return (try rows.forget(endedBefore: date, above: limits.quota, atMost: count), unwanted)
        }
        if unwanted > 0 {
            warnings.report(
                "callbacks without target",
                "\(unwanted) pending callbacks were removed after callbacks.retention, because callbacks.targets does "
                    + "not list their targets")
        }
        if removed.pending > 0 {
            dropped.withLock { $0 += removed.pending }
            warnings.report(
                "callbacks",
                "\(removed.pending) pending callbacks were removed, because callbacks.quota is full: "
                    + "appgroupd callbacks ls shows the targets that do not answer")
        }
        return removed.all >= count || unwanted >= count
    }
}

extension CallbackRows {
    /// The transaction's part of a change.
    func apply(_ change: CallbackWrite.Change) throws -> CallbackWrite.Answer {
        switch change {
        case .attempt(let attempt, let record):
            if let attempt { try store(attempt) }
            if let record { try store(record) }
            return .done(count: 1, last: 0)
        case .resend(let id, let date): return .done(count: try resend(id, at: date) ? 1 : 0, last: 0)
        case .recover(let target, let since, let number, let now):
            let found = try recover(target, since: since, after: number, at: now, atMost: 500)
            return .done(count: found.count, last: found.last)
        }
    }
}
