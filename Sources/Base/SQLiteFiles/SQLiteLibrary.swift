package import GRDB
import LinuxIO

/// The SQLite library that this process has loaded.
package enum SQLiteLibrary {
    /// The first version with `unixepoch()`, which the index uses (sqlite.org, release notes of 3.38.0).
    package static let oldestUsable = [3, 38, 0]

    /// Returns the version, for example `3.40.1`. Throws the error of SQLite if no database can be opened in memory.
    package static func version() throws -> String {
        try DatabaseQueue().read { database in
            try String.fetchOne(database, sql: "SELECT sqlite_version()") ?? "unknown"
        }
    }

    /// Returns whether the path of a database may be a URI. Debian's library accepts URIs.
    package static func takesURIs() throws -> Bool {
        try DatabaseQueue().read { try String.fetchAll($0, sql: "PRAGMA compile_options").contains("USE_URI") }
    }

    package static func isUsable(_ version: String) -> Bool {
        let numbers = version.split(separator: ".").compactMap { Int($0) }
        return !numbers.lexicographicallyPrecedes(oldestUsable)
    }
}

/// The read-only connections to an index. They work while other processes write to the index.
package enum ReadOnlyDatabase {
    /// Opens an index for reading only; returns `nil` if the file does not exist.
    package static func open(_ path: String) throws -> DatabaseQueue? {
        guard FileSystem.size(of: path) != nil else { return nil }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}

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
