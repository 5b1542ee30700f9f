import Digests
import Foundation
import GRDB
import NotificationModel
import RequestJournal
import SQLiteFiles

/// The rows of recipients in the journal's database, within one transaction or one read.
///
/// Each recipient has a row in `recipient`, and a row in `recipientName` for each of its names. `recipientTotals` has one
/// row with the number of changes and the number of recipients.
struct RecipientRows {
    /// The maximum number of stored recipients.
    static let maxRecipients = 10_000_000

    let database: Database
    /// The digests of erased recipients; `nil` for calls that look no name up.
    var suppression: Suppression?

    @Sendable static func createTables(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE receiver (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    appGroup TEXT NOT NULL,
                    id TEXT NOT NULL,
                    stated INTEGER NOT NULL,
                    allowed INTEGER NOT NULL,
                    locale TEXT,
                    rest TEXT,
                    version INTEGER NOT NULL,
                    updatedAt DOUBLE NOT NULL);
                CREATE TABLE receiverName (
                    appGroup TEXT NOT NULL,
                    name TEXT NOT NULL,
                    receiver INTEGER NOT NULL,
                    isDead BOOLEAN NOT NULL DEFAULT 0,
                    PRIMARY KEY (appGroup, name)) WITHOUT ROWID;
                CREATE TABLE receiverTotals (changes INTEGER NOT NULL, receivers INTEGER NOT NULL);
                INSERT INTO receiverTotals VALUES (0, 0);
                """)
    }

    // MARK: Reading

    private static let join =
        """
        FROM receiverName JOIN receiver ON number = receiver AND receiver.appGroup = receiverName.appGroup
        WHERE receiverName.appGroup = ? AND name = ?
        """

    /// Returns the settings of the recipient of a name; `nil` if no recipient has it.
    func settings(of name: RecipientName) throws -> RecipientLookup.Stored? {
        if let erased = suppression?.erasedName(of: name), var stored = try storedSettings(of: erased) {
            stored.isErased = true
            return stored
        }
        return try storedSettings(of: name)
    }

    private func storedSettings(of name: RecipientName) throws -> RecipientLookup.Stored? {
        let statement = try database.cachedStatement(sql: "SELECT stated, allowed, locale, version \(Self.join)")
        return try Row.fetchOne(statement, arguments: [name.group.description, name.name]).map { row in
            RecipientLookup.Stored(settings: Self.settings(row), version: row.value(of: "version") ?? 0)
        }
    }

    /// Returns the recipient of a name with the number of its row; `nil` if no recipient has the name.
    func find(_ name: RecipientName) throws -> (number: Int, recipient: Recipient)? {
        let statement = try database.cachedStatement(
            sql: "SELECT number, id, stated, allowed, locale, rest, version, updatedAt \(Self.join)")
        guard let row = try Row.fetchOne(statement, arguments: [name.group.description, name.name]) else { return nil }
        var document = RecipientDocument(stored: row.value(of: "rest"))
        document.settings = Self.settings(row)
        let id = RecipientName(group: name.group, name: row.value(of: "id") ?? name.name)
        return (
            row.value(of: "number") ?? 0,
            Recipient(
                id: id, document: document, version: row.value(of: "version") ?? 0,
                updatedAt: Date(timeIntervalSince1970: row.value(of: "updatedAt") ?? 0), hash: Self.hash(of: id))
        )
    }

    /// Returns the ids of some recipients of a group that are not erased.
    func ids(in group: AppGroupName, atMost count: Int) throws -> [String] {
        try String.fetchAll(
            database, sql: "SELECT id FROM receiver WHERE appGroup = ? AND substr(id, 1, 1) <> ? LIMIT ?",
            arguments: [group.description, Suppression.mark, count])
    }

    func isDead(_ name: RecipientName) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT isDead FROM receiverName WHERE appGroup = ? AND name = ?")
        return try Bool.fetchOne(statement, arguments: [name.group.description, name.name]) ?? false
    }

    func totals() throws -> RecipientTotals {
        let row = try Row.fetchOne(database, sql: "SELECT changes, receivers FROM receiverTotals")
        return RecipientTotals(changes: row?.value(of: "changes") ?? 0, recipients: row?.value(of: "receivers") ?? 0)
    }

    private static func settings(_ row: Row) -> PermissionSettings {
        PermissionSettings(
            statedBits: UInt8(truncatingIfNeeded: (row.value(of: "stated") as Int?) ?? 0),
            trueBits: UInt8(truncatingIfNeeded: (row.value(of: "allowed") as Int?) ?? 0),
            locale: row.value(of: "locale"))
    }

    static func hash(of name: RecipientName) -> String { RecipientHash.text(of: name.name, in: name.group.description) }
}
