import GRDB

/// The SQLite that this process has loaded.
package enum SQLiteLibrary {
    /// `unixepoch()`, which the index uses, came with it (sqlite.org, release notes of 3.38.0).
    package static let oldestUsable = [3, 38, 0]

    /// As `3.40.1`.
    ///
    /// - Throws: when a database in memory cannot be opened.
    package static func version() throws -> String {
        try DatabaseQueue().read { database in
            try String.fetchOne(database, sql: "SELECT sqlite_version()") ?? "unknown"
        }
    }

    /// Whether the path of a database may be a URI, as with Debian's.
    static func takesURIs() throws -> Bool {
        try DatabaseQueue().read { try String.fetchAll($0, sql: "PRAGMA compile_options").contains("USE_URI") }
    }

    package static func isUsable(_ version: String) -> Bool {
        let numbers = version.split(separator: ".").compactMap { Int($0) }
        return !numbers.lexicographicallyPrecedes(oldestUsable)
    }
}
