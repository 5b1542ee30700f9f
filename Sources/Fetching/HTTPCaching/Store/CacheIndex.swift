package import GRDB
package import LinuxIO
import SQLiteFiles

/// The database `.cache/index.sqlite`. It lists the responses under each key, and the files of their bodies.
///
/// With `synchronous=NORMAL` in WAL mode, a power cut may lose the last rows but never the index (SQLite, "WAL mode").
/// `usedAt` is in microseconds since 1970. The times of a response are in seconds since 2001.
package struct CacheIndex {
    /// The error of an index that a version with other tables created.
    package struct OtherVersion: Error, CustomStringConvertible {
        package let description = "another version of the program made it"
    }

    /// The maximum number of responses that a lookup of one key returns, newest first. An origin that varies by every
    /// header must not fill memory.
    static let maxOfKey = 32

    package let database: DatabaseQueue
    private let path: String

    /// Opens or creates an index. Throws an error for which `isUnusable` is true, if the file is not a database.
    package init(path: String) throws {
        self.path = path
        var configuration = Configuration()
        configuration.label = "cache"
        configuration.journalMode = .wal
        // A transaction of another process takes milliseconds. A caller that waits longer continues without the cache.
        configuration.busyMode = .timeout(0.25)
        database = try DatabaseQueue(path: path, configuration: configuration)
        try Self.prepare(database)
        for part in Self.files(of: path) where FileSystem.size(of: part) != nil {
            try FileSystem.setMode(0o600, of: part)
        }
    }

    /// Opens an index for reading only; returns `nil` if the file does not exist. Throws an error for which
    /// `isUnusable` is true, if the file is not a database or has another version.
    package init?(readingOnly path: String) throws {
        guard let database = try ReadOnlyDatabase.open(path) else { return nil }
        guard try database.read(Self.version) == Self.schemaVersion else { throw OtherVersion() }
        self.database = database
        self.path = path
    }

    package func close() { try? database.close() }

    /// Returns whether a new index repairs an error.
    package static func isUnusable(_ error: any Error) -> Bool {
        error is OtherVersion || DatabaseDamage.isDamage(error)
    }

    /// Removes an index. The responses that it lists are fetched again.
    package static func remove(_ path: String) throws(SystemError) {
        for part in files(of: path) {
            do throws(SystemError) { try FileSystem.remove(part) } catch  where error.isNoSuchFile { continue }
        }
    }

    private static func files(of path: String) -> [String] { [path, path + "-wal", path + "-shm"] }

    // A single SELECT sees one state of the tables (SQLite, "Isolation"). `unsafeRead` saves the transaction around it,
    // which costs four compiled statements for each read.

    /// Returns a number that changes when another process has written to the database (SQLite, "PRAGMA data_version").
    func dataVersion() throws -> Int? {
        try database.unsafeRead { database in
            try Int.fetchOne(try database.cachedStatement(sql: "PRAGMA data_version"))
        }
    }

    /// Returns the responses of a key, newest first.
    func responses(for key: String) throws -> [CacheEntry] {
        try database.unsafeRead { database in
            // Most lookups find nothing. GRDB reads the names of all columns for each query, even without a row.
            let any = try database.cachedStatement(sql: "SELECT 1 FROM response WHERE key = ? LIMIT 1")
            guard try Int.fetchOne(any, arguments: [key]) != nil else { return [] }
            let statement = try database.cachedStatement(
                sql: "SELECT * FROM response WHERE key = ? ORDER BY responseTime DESC, rowid DESC LIMIT ?")
            return try Row.fetchAll(statement, arguments: [key, Self.maxOfKey]).compactMap(CacheEntry.init)
        }
    }

    func response(_ id: String) throws -> CacheEntry? {
        try database.unsafeRead { database in
            let statement = try database.cachedStatement(sql: "SELECT * FROM response WHERE id = ?")
            return try Row.fetchOne(statement, arguments: [id]).flatMap(CacheEntry.init)
        }
    }

    /// Returns the files of one shard that have a row.
    func files(in shard: String) throws -> Set<String> {
        try database.unsafeRead { database in
            let statement = try database.cachedStatement(sql: "SELECT file FROM response WHERE file >= ? AND file < ?")
            return try String.fetchSet(statement, arguments: [shard, shard + "g"])
        }
    }

    /// Returns the least recently used responses that have a file, until their bodies reach a number of bytes. The list
    /// is shorter if there are too few responses. `uses` has the uses that are not written yet, by id, in microseconds
    /// since 1970. Responses in `ids` are skipped.
    func minUsed(
        _ byteCount: Int, lately uses: [String: Int64], without ids: Set<String>
    ) throws -> [(id: String, file: String)] {
        try database.read { database in
            var missing = byteCount
            var list: [(id: String, file: String)] = []
            var usedSince: [(row: Row, use: Int64)] = []
            func take(_ row: Row) throws {
                list.append((try row.sound("id"), try row.sound("file")))
                missing -= max(0, try row.sound("bodyBytes"))
            }
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT id, file, bodyBytes, usedAt FROM response WHERE file IS NOT NULL ORDER BY usedAt, rowid
                    """)
            while missing > 0, let row = try rows.next() {
                let id: String = try row.sound("id")
                if ids.contains(id) { continue }
                if let use = uses[id], use > (try row.sound("usedAt")) {
                    usedSince.append((row.copy(), use))
                } else {
                    try take(row)
                }
            }
            for (row, _) in usedSince.sorted(by: { $0.use < $1.use }) where missing > 0 { try take(row) }
            return list
        }
    }

    func totals() throws -> Totals { try database.read(Self.totals) }

    package struct Totals: Equatable {
        package var entries = 0
        package var bytes = 0
    }

    package static func totals(_ database: Database) throws -> Totals {
        let statement = try database.cachedStatement(sql: "SELECT entries, bytes FROM total")
        guard let row = try Row.fetchOne(statement) else { return Totals() }
        return Totals(entries: try row.sound("entries"), bytes: try row.sound("bytes"))
    }

    /// Deletes all rows of the index.
    func clear() throws {
        try database.write { try $0.execute(sql: "DELETE FROM response") }
        // VACUUM returns the space to the file system, unless another process uses the index.
        try? database.vacuum()
    }
}

/// The tables of the index. No other program uses them, so a version with other tables creates a new index.
extension CacheIndex {
    static let schemaVersion = 3

    static func prepare(_ database: DatabaseQueue) throws {
        if try database.read(version) == schemaVersion { return }
        // One process creates the tables, and another process that waited finds them.
        try database.write { database in
            switch try version(database) {
            case schemaVersion: return
            case 0: try makeTables(database)
            default: throw OtherVersion()
            }
        }
    }

    static func version(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    }

    /// Creates the tables. Triggers update the totals, so the totals are exact even if several processes write. Reading
    /// the totals needs no scan of the rows.
    private static func makeTables(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE response (
                    id TEXT PRIMARY KEY NOT NULL, key TEXT NOT NULL, method TEXT NOT NULL, status INTEGER NOT NULL,
                    fields BLOB NOT NULL, requestFields BLOB NOT NULL, requestTime REAL NOT NULL,
                    responseTime REAL NOT NULL, usedAt INTEGER NOT NULL, bytes INTEGER NOT NULL,
                    storedFrom INTEGER NOT NULL, bodyBytes INTEGER NOT NULL, completeLength INTEGER,
                    file TEXT, checksum INTEGER, boot TEXT) STRICT;
                CREATE INDEX responseOfKey ON response (key, responseTime);
                CREATE INDEX responseByUse ON response (usedAt);
                CREATE INDEX responseOfFile ON response (file);
                CREATE TABLE total (entries INTEGER NOT NULL, bytes INTEGER NOT NULL);
                INSERT INTO total VALUES (0, 0);
                CREATE TRIGGER responseIn AFTER INSERT ON response BEGIN
                    UPDATE total SET entries = entries + 1, bytes = bytes + new.bytes;
                END;
                CREATE TRIGGER responseOut AFTER DELETE ON response BEGIN
                    UPDATE total SET entries = entries - 1, bytes = bytes - old.bytes;
                END;
                CREATE TRIGGER responseChange AFTER UPDATE OF bytes ON response BEGIN
                    UPDATE total SET bytes = bytes + new.bytes - old.bytes;
                END;
                PRAGMA user_version = \(schemaVersion);
                """)
    }
}
