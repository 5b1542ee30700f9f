import Foundation
import GRDB
import NotificationModel
import RequestJournal
import SQLiteFiles

/// The rows of receipts in the journal's database. A listed notification has at most one row of each event, and its rows
/// are removed together with it.
struct ReceiptRows {
    let database: Database

    init(_ database: Database) { self.database = database }

    @Sendable static func createTables(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE receipt (
                    place INTEGER NOT NULL,
                    event TEXT NOT NULL,
                    -- The time in milliseconds since 1970.
                    at INTEGER NOT NULL,
                    PRIMARY KEY (place, event)) WITHOUT ROWID;
                """)
    }

    /// Adds receipts. A notification that was removed since the search gets no row.
    ///
    /// - Returns: The places of the notifications that had no receipt of the event.
    func add(_ receipt: Receipt, at places: [Int]) throws -> [Int] {
        let insert = try database.cachedStatement(
            sql: """
                INSERT INTO receipt (place, event, at) SELECT place, ?, ? FROM listed WHERE place = ?
                ON CONFLICT DO NOTHING
                """)
        let milliseconds = ListedNotification.place(of: receipt.at) / 1_000
        return try places.filter { place in
            try insert.execute(arguments: [receipt.event.rawValue, milliseconds, place])
            return database.changesCount > 0
        }
    }

    func remove(at place: Int) throws {
        try database.cachedStatement(sql: "DELETE FROM receipt WHERE place = ?").execute(arguments: [place])
    }

    /// The receipts of a row of `listed` as one column: `EVENT MILLISECONDS`, with commas between them.
    static let column =
        "(SELECT group_concat(event || ' ' || at) FROM receipt WHERE receipt.place = listed.place) AS receipts"

    static func times(_ column: String?) -> [Receipt.Event: Date] {
        (column ?? "").split(separator: ",").reduce(into: [:]) { times, text in
            let parts = text.split(separator: " ")
            guard parts.count == 2, let event = Receipt.Event(rawValue: String(parts[0])), let at = Int(parts[1])
            else { return }
            times[event] = ListedNotification.date(of: at * 1_000)
        }
    }
}
