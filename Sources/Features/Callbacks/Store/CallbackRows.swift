import Base
import Foundation
import GRDB
import NotificationModel
import RequestJournal
import SQLiteFiles

/// The rows of messages to callback targets in the journal's database, within one transaction or one read.
///
/// A row is inserted in the transaction of the result or receipt that it is about. A pending row has a time at which it
/// is due, and an ended row the time of its end. Triggers keep the total size, by which the quota removes rows.
struct CallbackRows {
    /// The approximate size of a row without its body, in bytes.
    static let overhead = 256

    let database: Database

    init(_ database: Database) { self.database = database }

    @Sendable static func createTables(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE callback (
                    number INTEGER PRIMARY KEY,
                    id TEXT NOT NULL UNIQUE,
                    target TEXT NOT NULL,
                    appGroup TEXT NOT NULL,
                    request TEXT NOT NULL,
                    type TEXT NOT NULL,
                    recipient TEXT,
                    providerID TEXT,
                    thread TEXT,
                    state TEXT NOT NULL,
                    attempts INTEGER NOT NULL DEFAULT 0,
                    createdAt DOUBLE NOT NULL,
                    dueAt DOUBLE,
                    endedAt DOUBLE,
                    attemptedAt DOUBLE,
                    status INTEGER,
                    problem TEXT,
                    url TEXT,
                    -- The last column, so that the other columns are read without the pages of the body.
                    body BLOB NOT NULL);
                CREATE INDEX dueCallback ON callback (target, dueAt, createdAt) WHERE dueAt IS NOT NULL;
                CREATE INDEX endedCallback ON callback (endedAt) WHERE endedAt IS NOT NULL;
                CREATE INDEX callbackOfRequest ON callback (request, appGroup);
                CREATE TABLE callbackTarget (
                    name TEXT PRIMARY KEY,
                    failingSince DOUBLE,
                    failures INTEGER NOT NULL,
                    disabledAt DOUBLE,
                    reason TEXT) WITHOUT ROWID;
                CREATE TABLE callbackTotals (bytes INTEGER NOT NULL);
                INSERT INTO callbackTotals VALUES (0);
                CREATE TRIGGER callbackAdded AFTER INSERT ON callback BEGIN
                    UPDATE callbackTotals SET bytes = bytes + length(new.body) + \(overhead); END;
                CREATE TRIGGER callbackRemoved AFTER DELETE ON callback BEGIN
                    UPDATE callbackTotals SET bytes = bytes - length(old.body) - \(overhead); END;
                """)
    }

    /// Adds the indexes and columns of version 10.
    @Sendable static func changeTables(_ database: Database) throws {
        try database.execute(
            sql: """
                -- For a recovery. Failed messages are few, so that most messages cost the index nothing.
                CREATE INDEX failedCallback ON callback (target, number, createdAt) WHERE state = 'failed';
                ALTER TABLE callbackTarget ADD COLUMN failedAt DOUBLE;
                ALTER TABLE callbackTarget ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
                """)
    }

    // MARK: Insertion

    /// Adds the messages about a result.
    ///
    /// - Returns: The names of the targets that get one.
    func add(_ content: EmittedContent, at now: Double, by routing: CallbackRouting) throws -> Set<String> {
        guard let facts = content.facts, !content.key.id.isOfPreparation else { return [] }
        let names = facts.names
        let (type, date) = (CallbackType.name(of: content.outcome), Date(timeIntervalSince1970: now))
        var given: Set<String> = []
        func add(to target: CallbackRouting.Target, _ url: String?) throws {
            let body = CallbackBody.bytes(
                content, facts, at: date, hasResult: target.hasResult, linkBase: routing.linkBase)
            try insert(to: target.name, content.key, type, names, url, body, at: now)
            given.insert(target.name)
        }
        for target in routing.targets where target.takes(type, in: content.key.group) { try add(to: target, nil) }
        if let url = facts.callback, let target = routing.target(forRequestURL: url, in: content.key.group) {
            try add(to: target, url)
        }
        if let details = facts.deliveryDetails,
            [.rich, .partial, .fallback, .passthrough].contains(content.outcome)
        {
            given.formUnion(
                try passOn(.delivered, at: date, of: content.key, names, at: now, by: routing, details: details))
        }
        return given
    }

    /// Adds the receipt of a notification for the server of its provider, unless the server has got it already.
    ///
    /// - Parameter details: The `details` of the result; `nil` if they are read from its row.
    private func passOn(
        _ event: Receipt.Event, at time: Date, of key: RequestKey, _ names: ListedNames, at now: Double,
        by routing: CallbackRouting, details: JSONObject? = nil
    ) throws -> Set<String> {
        let type = CallbackType.name(of: event)
        guard let target = routing.targets.first(where: { $0.passesOn(event, of: names, in: key.group) }) else {
            return []
        }
        let earlier = try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM callback WHERE appGroup = ? AND request = ? AND target = ? AND type = ?"),
            arguments: [key.group.description, key.id.description, target.name, type])
        guard earlier == nil else { return [] }
        let details = try details ?? self.details(of: key)
        guard let body = CallbackBody.receipt(event, at: time, names, details: details, for: target.form) else {
            return []
        }
        let url = CallbackBody.trackingURL(of: event, details, for: target.form)
        try insert(to: target.name, key, type, names, url, body, at: now)
        return [target.name]
    }

    /// Returns the `details` of a result that the journal keeps in its row; empty for other results.
    private func details(of key: RequestKey) throws -> JSONObject {
        let content = try Data.fetchOne(
            database.cachedStatement(sql: "SELECT content FROM request WHERE appGroup = ? AND id = ?"),
            arguments: [key.group.description, key.id.description])
        return content.flatMap { try? JSONParser.value(of: Array($0)) }?["details"]?.object ?? [:]
    }

    /// Adds the messages about a receipt of a listed notification.
    func add(
        _ receipt: Receipt, of listed: ListedNotification, at now: Double, by routing: CallbackRouting
    ) throws -> Set<String> {
        let (type, date) = (CallbackType.name(of: receipt.event), Date(timeIntervalSince1970: now))
        let key = listed.key
        let passedOn =
            receipt.reporters != nil
            ? [] : try passOn(receipt.event, at: receipt.at, of: key, listed.names, at: now, by: routing)
        let targets = routing.targets.filter { $0.takes(type, in: listed.key.group) }
        guard !targets.isEmpty else { return passedOn }
        let body = CallbackBody.bytes(
            receipt.event, at: receipt.at, of: listed, at: date, linkBase: routing.linkBase)
        for target in targets {
            try insert(to: target.name, listed.key, type, listed.names, nil, body, at: now)
        }
        return passedOn.union(targets.map(\.name))
    }

    /// Adds the message that a recipient has opted out, or in again. It takes the place of an earlier one that the server
    /// has not got yet, so that a repeated attempt does not undo a later choice.
    func add(optOutOf recipient: Recipient, at now: Double, by routing: CallbackRouting) throws -> Set<String> {
        let group = recipient.id.group
        guard let target = routing.targets.first(where: { $0.takesOptOuts(in: group) }),
            let id = RequestID("recipient-\(recipient.hash)")
        else { return [] }
        try database.cachedStatement(
            sql: "DELETE FROM callback WHERE request = ? AND appGroup = ? AND target = ? AND state = 'pending'"
        ).execute(arguments: [id.description, group.description, target.name])
        var names = ListedNames()
        names.recipient = recipient.id.name
        let (type, body) = CallbackBody.optOut(of: recipient, at: Date(timeIntervalSince1970: now))
        try insert(to: target.name, RequestKey(group: group, id: id), type, names, nil, body, at: now)
        return [target.name]
    }

    private func insert(
        to target: String, _ key: RequestKey, _ type: String, _ names: ListedNames, _ url: String?, _ body: [UInt8],
        at now: Double
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO callback (id, target, appGroup, request, type, recipient, providerID, thread, state,
                    createdAt, dueAt, url, body)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                Self.newID(), target, key.group.description, key.id.description, type,
                names.recipient.map(ListKey.short), names.providerID.map(ListKey.short),
                names.thread.map(ListKey.short), now, now, url, Data(body),
            ])
    }

    /// Returns an id that no other message has: `msg_` and 128 random bits.
    private static func newID() -> String {
        var random = SystemRandomNumberGenerator()
        return "msg_"
            + (0..<2).map { _ in UInt64.random(in: .min ... .max, using: &random).hexadecimal(digits: 16) }.joined()
    }

    // MARK: Attempts

    func due(of target: String, at date: Date, afterStep: Bool, atMost count: Int) throws -> DueCallbacks {
        var rows = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT * FROM callback WHERE target = ? AND dueAt <= ? ORDER BY dueAt, createdAt LIMIT ?"),
            arguments: [target, date.timeIntervalSince1970, count])
        let next = try Double.fetchOne(
            database.cachedStatement(sql: "SELECT min(dueAt) FROM callback WHERE target = ? AND dueAt > ?"),
            arguments: [target, date.timeIntervalSince1970])
        let (dueCount, stepped) = (
            rows.count, afterStep ? try stepped(target, at: date, atMost: count - rows.count) : []
        )
        rows += stepped
        return DueCallbacks(
            callbacks: rows.compactMap(Callback.init), next: next.map { Date(timeIntervalSince1970: $0) },
            // Without room for a further message, the journal was not searched.
            hasStepped: afterStep && (dueCount >= count || !stepped.isEmpty))
    }

    /// Returns messages that wait for a time of a clock that has been set back since.
    private func stepped(_ target: String, at date: Date, atMost count: Int) throws -> [Row] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT * FROM callback
                    WHERE target = ? AND dueAt > ? AND coalesce(attemptedAt, createdAt) > ? ORDER BY dueAt LIMIT ?
                    """),
            arguments: [target, date.timeIntervalSince1970, date.timeIntervalSince1970, count])
    }

    func store(_ attempt: CallbackAttempt) throws {
        let isPending = attempt.state == .pending
        let at = attempt.at.timeIntervalSince1970
        try database.cachedStatement(
            sql: """
                UPDATE callback SET state = ?, attempts = attempts + 1, dueAt = ?, endedAt = ?, attemptedAt = ?,
                    status = ?, problem = ?
                WHERE number = ? AND id = ?
                """
        ).execute(
            arguments: [
                attempt.state.rawValue, isPending ? attempt.dueAt?.timeIntervalSince1970 ?? at : nil,
                isPending ? nil : at, at, attempt.status, attempt.problem, attempt.number, attempt.id,
            ])
    }

    /// Stores a record, unless the stored one is newer: a write that waited for the disk may come late.
    func store(_ record: CallbackTargetRecord) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO callbackTarget (name, failingSince, failedAt, failures, disabledAt, reason, version)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET failingSince = excluded.failingSince, failedAt = excluded.failedAt,
                    failures = excluded.failures, disabledAt = excluded.disabledAt, reason = excluded.reason,
                    version = excluded.version
                WHERE callbackTarget.version < excluded.version
                """
        ).execute(
            arguments: [
                record.name, record.failingSince?.timeIntervalSince1970, record.failedAt?.timeIntervalSince1970,
                record.failures, record.disabledAt?.timeIntervalSince1970, record.reason, record.version,
            ])
    }

    private static let again = "state = 'pending', attempts = 0, dueAt = ?, endedAt = NULL, problem = NULL"

    /// Returns whether there is a message of the id.
    func resend(_ id: String, at date: Date) throws -> Bool {
        try database.execute(
            sql: "UPDATE callback SET \(Self.again) WHERE id = ?", arguments: [date.timeIntervalSince1970, id])
        return database.changesCount > 0
    }

    /// The query for failed messages of a recovery, which reads only the index of failed messages.
    static let failed = """
        SELECT number FROM callback
        WHERE target = ? AND state = 'failed' AND number > ? AND createdAt >= ? ORDER BY number LIMIT ?
        """

    func recover(_ target: String, since date: Date, after number: Int, at now: Date, atMost count: Int) throws
        -> (count: Int, last: Int)
    {
        let numbers = try Int.fetchAll(
            database, sql: Self.failed, arguments: [target, number, date.timeIntervalSince1970, count])
        let change = try database.cachedStatement(sql: "UPDATE callback SET \(Self.again) WHERE number = ?")
        for number in numbers { try change.execute(arguments: [now.timeIntervalSince1970, number]) }
        return (numbers.count, numbers.last ?? number)
    }
}
