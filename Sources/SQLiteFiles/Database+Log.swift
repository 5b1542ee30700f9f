package import GRDB

extension Database {
    /// Moves all pages of the WAL into the database, and empties the WAL (SQLite, "PRAGMA wal_checkpoint"). Removed text
    /// stays in the WAL until then.
    ///
    /// - Returns: `false` if another connection reads an older state, so that the WAL cannot be emptied.
    package func hasTruncatedLog() throws -> Bool {
        guard let row = try Row.fetchOne(self, sql: "PRAGMA wal_checkpoint(TRUNCATE)") else { return false }
        return (row[0] as Int) == 0
    }
}
