import Base
import Foundation
package import GRDB
package import NotificationModel
import RequestJournal
import SQLiteFiles

/// The rows of listed notifications in the journal's database, within one transaction or one read.
///
/// Each emitted notification has a row in `listed`, and a row in `listedName` for each name under which lists find it.
/// The primary key of `listed` is the time of emission in microseconds, so the rows have the order of the lists. Rows
/// stay when the result is deleted.
///
/// To add a new condition of lists, do this: write a property of `ListQuery`, its `Parameter` in
/// `ListQuery+Parameters.swift`, which `conditions` and the initializer name, and its SQL in `filter` of
/// `ListRows+Reading.swift`. A new column has a migration of `ListTable` with the next number, and is written in `add`
/// and read in `select` and by `ListedNotification`. `docs/schema/openapi.json` follows with `REWRITE_GOLDENS=1`.
package struct ListRows {
    /// The number of the following microseconds that are tried if another notification has the same time.
    private static let maxTries = 1_000

    let database: Database

    package init(_ database: Database) { self.database = database }

    @Sendable static func createTables(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE listWord (number INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);
                CREATE TABLE listed (
                    place INTEGER PRIMARY KEY,
                    appGroup INTEGER NOT NULL,
                    id TEXT NOT NULL,
                    outcome INTEGER NOT NULL,
                    reason INTEGER,
                    provider INTEGER,
                    providerID TEXT,
                    recipient TEXT,
                    thread TEXT,
                    labels TEXT);
                CREATE TABLE listedName (
                    key INTEGER NOT NULL,
                    place INTEGER NOT NULL,
                    PRIMARY KEY (key, place)) WITHOUT ROWID;
                CREATE TABLE listTotals (listed INTEGER NOT NULL);
                INSERT INTO listTotals VALUES (0);
                """)
    }

    /// Adds the column of notifications that have something to show. It is null for notifications from before.
    @Sendable static func addContent(_ database: Database) throws {
        try database.execute(sql: "ALTER TABLE listed ADD COLUMN content INTEGER")
    }

    // MARK: Writing

    /// Adds an emitted notification.
    func add(_ content: EmittedContent, _ names: ListedNames, at now: Double, _ words: ListWords) throws {
        // The places of one transaction differ by a microsecond. After a step of the clock the places begin there.
        let (last, now) = (words.lastPlace, ListedNotification.place(of: Date(timeIntervalSince1970: now)))
        var place = now <= last && last - now < 1_000_000 ? last + 1 : now
        let insert = try database.cachedStatement(
            sql: """
                INSERT INTO listed
                    (place, appGroup, id, outcome, reason, provider, providerID, recipient, thread, labels, content)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """)
        let columns: StatementArguments = [
            try words.number(of: content.key.group.description, in: database), content.key.id.description,
            try words.number(of: content.outcome.rawValue, in: database),
            try content.reason.map { try words.number(of: $0.rawValue, in: database) },
            try names.provider.map { try words.number(of: $0, in: database) },
            names.providerID.map(ListKey.short), names.recipient.map(ListKey.short), names.thread.map(ListKey.short),
            names.labels.isEmpty ? nil : names.labels.map(Self.column).joined(), names.hasContent,
        ]
        for _ in 0..<Self.maxTries {
            try insert.execute(arguments: [place] + columns)
            if database.changesCount > 0 { break }
            place += 1
        }
        words.lastPlace = place
        for key in Set(ListKey.all(of: content.key, names)) {
            try database.cachedStatement(
                sql: "INSERT INTO listedName (key, place) VALUES (?, ?) ON CONFLICT DO NOTHING"
            )
            .execute(arguments: [key.number, place])
        }
    }

    func change(totalBy difference: Int) throws {
        try database.cachedStatement(sql: "UPDATE listTotals SET listed = max(0, listed + ?)")
            .execute(arguments: [difference])
    }

    /// Returns the place of the oldest notification; `nil` if the lists are empty.
    func oldest() throws -> Int? { try Int.fetchOne(database, sql: "SELECT min(place) FROM listed") }

    func total() throws -> Int { try Int.fetchOne(database, sql: "SELECT listed FROM listTotals") ?? 0 }

    /// Removes the oldest notifications: all before a place, and further ones until `surplus` are removed, at most
    /// `count`.
    ///
    /// - Returns: The number of removed notifications.
    func removeOldest(before place: Int, surplus: Int, atMost count: Int) throws -> Int {
        let rows = try Row.fetchAll(
            database, sql: "\(Self.select) ORDER BY place LIMIT ?", arguments: [count])
        var removed = 0
        for row in rows {
            guard let listed = ListedNotification(row) else { continue }
            guard listed.place < place || removed < surplus else { break }
            try remove(listed)
            removed += 1
        }
        if removed > 0 { try change(totalBy: -removed) }
        return removed
    }

    /// Removes the row and the names of a notification.
    func remove(_ listed: ListedNotification) throws {
        try database.cachedStatement(sql: "DELETE FROM listed WHERE place = ?").execute(arguments: [listed.place])
        try ReceiptRows(database).remove(at: listed.place)
        for key in Set(ListKey.all(of: listed.key, listed.names)) {
            try database.cachedStatement(sql: "DELETE FROM listedName WHERE key = ? AND place = ?")
                .execute(arguments: [key.number, listed.place])
        }
    }

    package func notification(at place: Int) throws -> ListedNotification? {
        try Row.fetchOne(database, sql: "\(Self.select) WHERE place = ?", arguments: [place])
            .flatMap(ListedNotification.init)
    }

    // MARK: Columns

    /// The columns of a notification, with the words in place of their numbers.
    static let select =
        """
        SELECT place, (SELECT word FROM listWord WHERE number = appGroup) AS appGroup, id,
            (SELECT word FROM listWord WHERE number = outcome) AS outcome,
            (SELECT word FROM listWord WHERE number = reason) AS reason,
            (SELECT word FROM listWord WHERE number = provider) AS provider, providerID, recipient, thread, labels,
            content, \(ReceiptRows.column)
        FROM listed
        """

    /// Returns a label as a part of the column: a comma and a JSON string. A comma before a quotation mark occurs only
    /// between two labels, because JSON escapes the quotation marks of a label.
    static func column(_ label: String) -> String {
        "," + String(decoding: JSONWriter.bytes(of: .string(label)), as: UTF8.self)
    }

    fileprivate static func labels(_ column: String) -> [String] {
        let labels = try? JSONParser.value(of: Array("[\(column.dropFirst())]".utf8))
        return labels?.array?.compactMap(\.string) ?? []
    }
}

extension ListedNotification {
    init?(_ row: Row) {
        guard let key = RequestKey(row), let outcome = (row.value(of: "outcome") as String?).flatMap(Outcome.init)
        else { return nil }
        var names = ListedNames()
        names.provider = row.value(of: "provider")
        names.providerID = row.value(of: "providerID")
        names.recipient = row.value(of: "recipient")
        names.thread = row.value(of: "thread")
        names.hasContent = row.value(of: "content")
        names.labels = (row.value(of: "labels") as String?).map(ListRows.labels) ?? []
        self.init(
            place: row.value(of: "place") ?? 0, key: key, outcome: outcome,
            reason: (row.value(of: "reason") as String?).flatMap(DegradationReason.init), names: names)
        receipts = ReceiptRows.times(row.value(of: "receipts"))
    }
}
