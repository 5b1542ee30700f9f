package import GRDB

extension Database {
    /// Moves all pages of the WAL into the database, and empties the WAL (SQLite, "PRAGMA wal_checkpoint"). Removed text
    /// stays in the WAL until then.
    ///
    /// The call does not wait for readers, because all transactions of the connection would wait with it.
    ///
    /// - Returns: `false` if another connection reads an older state, so that the WAL cannot be emptied.
    package func truncateLog() throws -> Bool {
        let patience = try Int.fetchOne(self, sql: "PRAGMA busy_timeout") ?? 0
        try execute(sql: "PRAGMA busy_timeout = 0")
        defer { try? execute(sql: "PRAGMA busy_timeout = \(patience)") }
        guard let row = try Row.fetchOne(self, sql: "PRAGMA wal_checkpoint(TRUNCATE)") else { return false }
        return (row[0] as Int) == 0
    }
}
