import Base
package import FoundationEssentials
import GRDB
package import NotificationModel
import RequestJournal

/// A change of messages to callback targets.
private struct CallbackWrite: JournalChange {
    enum Change: Sendable {
        case attempt(CallbackAttempt?, CallbackTargetRecord?)
        case resend(String, at: Date)
        case recover(target: String, since: Date, after: Int, at: Date)
    }

    let change: Change
    /// The number of changed messages and the last of them; `nil` if the change failed.
    let answer = Waiter<(count: Int, last: Int)?>()

    var phase: JournalPhase { .late }

    func apply(to transaction: inout JournalTransaction) throws {
        let rows = CallbackRows(transaction.database)
        var found = (count: 1, last: 0)
        switch change {
        case .attempt(let attempt, let record):
            if let attempt { try rows.store(attempt) }
            if let record { try rows.store(record) }
        case .resend(let id, let date): found.count = try rows.resend(id, at: date) ? 1 : 0
        case .recover(let target, let since, let number, let now):
            found = try rows.recover(target, since: since, after: number, at: now, atMost: 500)
        }
        transaction.afterCommit { [found] _ in answer.resume(returning: found) }
    }

    /// An attempt is made only once, so its record waits for the disk.
    func refuse(because problem: String) -> Bool {
        if case .attempt = change { return false }
        answer.resume(returning: nil)
        return true
    }
}

/// The messages to callback targets. They are inserted by the transactions of results and receipts. Due messages are
/// read over a connection of their own, so that a long list delays no attempt and no request.
extension RequestJournal: CallbackStoring {
    package nonisolated func route(
        by routing: CallbackRouting?, _ added: @escaping @Sendable (Set<String>) -> Void
    ) {
        let link = routing.map { CallbackTable.Link(routing: $0, added: added) }
        self[CallbackTable.self].link.withLock { $0 = link }
        let names = Set(routing?.targets.map(\.name) ?? [])
        self[CallbackTable.self].targetNames.withLock { $0 = names }
    }

    package nonisolated func dueCallbacks(
        of target: String, at date: Date, afterStep: Bool, atMost count: Int
    ) async -> DueCallbacks? {
        await read { try $0.due(of: target, at: date, afterStep: afterStep, atMost: count) }
    }

    package nonisolated func callbacks(_ query: CallbackQuery) async -> ListPage<Callback>? {
        await read(over: self[CallbackTable.self].listReader) { try $0.page(query) }
    }

    package nonisolated func callback(_ id: String) async -> Callback?? {
        await read(over: self[CallbackTable.self].listReader) { try $0.callback(id) }
    }

    package nonisolated func callbackTargets() async -> [CallbackTargetRecord]? { await read { try $0.targets() } }

    package nonisolated func callbackBacklogs() async -> [String: CallbackBacklog]? {
        await read { try $0.backlogs() }
    }

    package nonisolated var droppedCallbacks: Int { self[CallbackTable.self].dropped.withLock { $0 } }

    package nonisolated func store(_ attempt: CallbackAttempt?, _ record: CallbackTargetRecord?) async -> Bool {
        let write = CallbackWrite(change: .attempt(attempt, record))
        add(write)
        return await write.answer.value(onCancel: { $0.resume(returning: nil) }) != nil
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
        add(write)
        return await write.answer.value()
    }

    private nonisolated func read<Value: Sendable>(
        over reader: JournalReader? = nil, _ body: @escaping @Sendable (CallbackRows) throws -> Value
    ) async -> Value? {
        try? await (reader ?? self[CallbackTable.self].reader).snapshot { try body(CallbackRows($0)) }
    }
}
