import Foundation
import GRDB
import NotificationModel
import RequestJournal
import SQLiteFiles

/// The removal of messages to callback targets: by their age, by the quota, and for an erasure.
extension CallbackRows {
    /// The least number of pending messages that are removed together from one target, because each search for the
    /// oldest ones reads the index of all its pending messages.
    private static let minDropped = 50

    /// Removes messages that ended before a date, and then the oldest messages above a size: first ended ones, then
    /// pending ones of the target that has the most of them. At most `count` messages of each kind are removed.
    ///
    /// - Returns: The numbers of removed messages, and of the pending ones among them.
    func forget(endedBefore date: Date, above quota: Int, atMost count: Int) throws -> (all: Int, pending: Int) {
        try database.execute(
            sql: """
                DELETE FROM callback WHERE number IN
                    (SELECT number FROM callback WHERE endedAt < ? ORDER BY endedAt LIMIT ?)
                """, arguments: [date.timeIntervalSince1970, count])
        let old = database.changesCount
        let surplus = try bytes() - quota
        guard surplus > 0 else { return (old, 0) }
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT number, length(body) AS size FROM callback WHERE endedAt IS NOT NULL ORDER BY endedAt LIMIT ?
                """, arguments: [count])
        let ended = try remove(rows, bytes: surplus)
        // The pending messages stay until no ended one is left.
        guard rows.count < count else { return (old + ended.count, 0) }
        let pending = try removePending(bytes: surplus - ended.bytes, atMost: count)
        return (old + ended.count + pending, pending)
    }

    /// Removes rows until their bytes reach `surplus`.
    private func remove(_ rows: [Row], bytes surplus: Int) throws -> (count: Int, bytes: Int) {
        var (count, bytes) = (0, 0)
        for row in rows where bytes < surplus {
            try database.execute(
                sql: "DELETE FROM callback WHERE number = ?", arguments: [row.value(of: "number") ?? 0])
            bytes += (row.value(of: "size") ?? 0) + Self.overhead
            count += 1
        }
        return (count, bytes)
    }

    /// Removes the oldest pending messages of the target that has the most, and goes on with the next target when their
    /// backlogs are equal. So no target loses messages because another one does not answer.
    ///
    /// - Returns: The number of removed messages, at most `count`.
    private func removePending(bytes surplus: Int, atMost count: Int) throws -> Int {
        var (removed, bytes) = (0, 0)
        var backlogs = try self.backlogs().mapValues(\.pending)
        while bytes < surplus, removed < count,
            let (target, most) = backlogs.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })
        {
            let next = backlogs.filter { $0.key != target }.values.max() ?? 0
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT number, length(body) AS size FROM callback WHERE number IN (
                        SELECT number FROM callback WHERE dueAt IS NOT NULL AND target = ? ORDER BY number LIMIT ?)
                    ORDER BY number
                    """, arguments: [target, min(count - removed, max(most - next, Self.minDropped))])
            let part = try remove(rows, bytes: surplus - bytes)
            guard part.count > 0 else { break }
            removed += part.count
            bytes += part.bytes
            backlogs[target] = most - part.count
        }
        return removed
    }

    /// Removes pending messages that were created before a date, to targets that are not configured, at most `count`.
    ///
    /// - Returns: The number of removed messages.
    func forget(createdBefore date: Date, except targets: Set<String>, atMost count: Int) throws -> Int {
        var (removed, last) = (0, "")
        let next = try database.cachedStatement(
            sql: "SELECT target FROM callback WHERE dueAt IS NOT NULL AND target > ? ORDER BY target LIMIT 1")
        while removed < count, let target = try String.fetchOne(next, arguments: [last]) {
            last = target
            guard !targets.contains(target) else { continue }
            try database.execute(
                sql: """
                    DELETE FROM callback WHERE number IN (
                        SELECT number FROM callback WHERE dueAt IS NOT NULL AND target = ? AND createdAt < ? LIMIT ?)
                    """, arguments: [target, date.timeIntervalSince1970, count - removed])
            removed += database.changesCount
        }
        return removed
    }

    private func bytes() throws -> Int { try Int.fetchOne(database, sql: "SELECT bytes FROM callbackTotals") ?? 0 }

    /// Removes the messages about requests whose rows are discarded.
    func discard(requestsAfter sequence: Int) throws {
        try database.execute(
            sql: """
                DELETE FROM callback WHERE number IN (
                    SELECT number FROM request JOIN callback
                        ON callback.appGroup = request.appGroup AND callback.request = request.id
                    WHERE sequence > ?)
                """, arguments: [sequence])
    }

    /// Removes the messages about the notifications of a step.
    func erase(_ step: ErasureStep) throws -> Int {
        var count = 0
        for key in step.keys {
            try database.execute(
                sql: "DELETE FROM callback WHERE appGroup = ? AND request = ?",
                arguments: [key.group.description, key.id.description])
            count += database.changesCount
        }
        return count
    }

    /// Returns the numbers of the messages that concern the target of a step, whether or not their notifications are in
    /// the lists. The whole table is read.
    func numbers(concerning step: ErasureStep) throws -> [Int] {
        let name = ListKey.short(step.target.name)
        func find(_ condition: String = "", _ arguments: StatementArguments = []) throws -> [Int] {
            try Int.fetchAll(
                database, sql: "SELECT number FROM callback WHERE appGroup = ?\(condition)",
                arguments: [step.target.group.description] + arguments)
        }
        switch step.target.kind {
        case .id: return try find(" AND request = ?", [name])
        case .providerID: return try find(" AND providerID = ?", [name])
        case .thread: return try find(" AND thread = ?", [name])
        case .recipient:
            let names = step.recipientNames.map(ListKey.short)
            return try find(
                " AND recipient IN (\(names.map { _ in "?" }.joined(separator: ", ")))", StatementArguments(names))
        case .group: return try find()
        }
    }

    /// Removes messages by their numbers, and returns how many there were.
    func remove(_ numbers: some Sequence<Int>) throws -> Int {
        let statement = try database.cachedStatement(sql: "DELETE FROM callback WHERE number = ?")
        return try numbers.reduce(0) { count, number in
            try statement.execute(arguments: [number])
            return count + database.changesCount
        }
    }

    /// Returns the next messages about requests of a group.
    func texts(in group: AppGroupName, after place: Int, atMost count: Int) throws -> [StoredText] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT number, appGroup, request AS id, body FROM callback WHERE appGroup = ? AND number > ?
                ORDER BY number LIMIT ?
                """,
            arguments: [group.description, place, count]
        ).compactMap { row in
            guard let place: Int = row.value(of: "number"), let key = RequestKey(row) else { return nil }
            var text = StoredText(
                place: place, key: key, values: [StoredValue(row.value(of: "body"), nil)].compactMap(\.self))
            text.isCopy = true
            return text
        }
    }
}
