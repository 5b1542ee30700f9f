import Foundation
import GRDB
import NotificationModel
import RequestJournal
import SQLiteFiles

/// The lists of messages to callback targets.
extension CallbackRows {
    private static let columns = """
        number, id, target, appGroup, request, type, state, attempts, createdAt, dueAt, attemptedAt, status, problem,
            url, length(body) AS byteCount
        """

    /// Returns a page of messages without their bodies, the newest first.
    func page(_ query: CallbackQuery) throws -> ListPage<Callback> {
        var (conditions, arguments): ([String], StatementArguments) = (["number < ?"], [query.before ?? .max])
        if let target = query.target {
            conditions.append("target = ?")
            arguments += [target]
        }
        if let state = query.state {
            conditions.append("state = ?")
            arguments += [state.rawValue]
        }
        if let id = query.notification {
            conditions.append("request = ?")
            arguments += [id.description]
        }
        if let groups = query.groups {
            conditions.append("appGroup IN (\(groups.map { _ in "?" }.joined(separator: ", ")))")
            arguments += StatementArguments(groups.map(\.description))
        }
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT \(Self.columns) FROM callback WHERE \(conditions.joined(separator: " AND "))
                ORDER BY number DESC LIMIT ?
                """, arguments: arguments + [query.limit + 1])
        let elements = rows.prefix(query.limit).compactMap(Callback.init)
        return ListPage(elements: elements, next: rows.count > query.limit ? elements.last?.number : nil)
    }

    func callback(_ id: String) throws -> Callback? {
        try Row.fetchOne(database, sql: "SELECT * FROM callback WHERE id = ?", arguments: [id]).flatMap(Callback.init)
    }

    func targets() throws -> [CallbackTargetRecord] {
        try Row.fetchAll(database, sql: "SELECT * FROM callbackTarget ORDER BY name").map { row in
            var record = CallbackTargetRecord(name: row.value(of: "name") ?? "")
            record.failingSince = row.time("failingSince")
            record.failedAt = row.time("failedAt")
            record.version = row.value(of: "version") ?? 0
            record.failures = row.value(of: "failures") ?? 0
            record.disabledAt = row.time("disabledAt")
            record.reason = row.value(of: "reason")
            return record
        }
    }

    /// Returns the numbers of pending messages. The query reads only an index.
    func backlogs() throws -> [String: CallbackBacklog] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT target, count(*) AS counted, min(createdAt) AS oldest FROM callback
                WHERE dueAt IS NOT NULL GROUP BY target
                """)
        return rows.reduce(into: [:]) { backlogs, row in
            var backlog = CallbackBacklog()
            backlog.pending = row.value(of: "counted") ?? 0
            backlog.oldest = row.time("oldest")
            backlogs[row.value(of: "target") ?? ""] = backlog
        }
    }
}

extension Row {
    fileprivate func time(_ column: String) -> Date? {
        (value(of: column) as Double?).map { Date(timeIntervalSince1970: $0) }
    }
}

extension Callback {
    init?(_ row: Row) {
        guard let id: String = row.value(of: "id"), let target: String = row.value(of: "target"),
            let group = (row.value(of: "appGroup") as String?).flatMap(AppGroupName.init),
            let request = (row.value(of: "request") as String?).flatMap(RequestID.init),
            let state = (row.value(of: "state") as String?).flatMap(State.init)
        else { return nil }
        let body = row.hasColumn("body") ? (row.value(of: "body") as Data?).map(Array.init) ?? [] : []
        self.init(
            number: row.value(of: "number") ?? 0, id: id, target: target, key: RequestKey(group: group, id: request),
            type: row.value(of: "type") ?? "", url: row.value(of: "url"), body: body,
            byteCount: row.hasColumn("byteCount") ? row.value(of: "byteCount") ?? 0 : body.count, state: state,
            attempts: row.value(of: "attempts") ?? 0, createdAt: row.time("createdAt") ?? .distantPast,
            dueAt: row.time("dueAt"), attemptedAt: row.time("attemptedAt"), status: row.value(of: "status"),
            problem: row.value(of: "problem"))
    }
}
