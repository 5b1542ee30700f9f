import Foundation
import GRDB
import HTTPCaching
import LinuxIO

/// `.cache/index.sqlite`: which responses are stored under which key, and in which files their bytes are.
///
/// `synchronous=NORMAL` in WAL mode: a power cut may take the last rows, never the index (SQLite, "WAL mode"). `usedAt`
/// is in microseconds since 1970, the times of a response in seconds since 2001.
struct CacheIndex {
    /// A program with other tables has made it.
    struct OtherVersion: Error, CustomStringConvertible {
        let description = "another version of the program made it"
    }

    /// Of one key, so many are told, the newest: an origin that varies by everything is no reason to carry it all.
    static let mostOfKey = 32

    let database: DatabaseQueue
    private let path: String

    /// - Throws: where the file is no database, `isUnusable` says so.
    init(path: String) throws {
        self.path = path
        var configuration = Configuration()
        configuration.label = "cache"
        configuration.journalMode = .wal
        // A transaction of the other process takes milliseconds; who waits longer does without the cache.
        configuration.busyMode = .timeout(0.25)
        database = try DatabaseQueue(path: path, configuration: configuration)
        try Self.prepare(database)
        for part in Self.files(of: path) where FileSystem.size(of: part) != nil {
            try FileSystem.setMode(0o600, of: part)
        }
    }

    /// Opens an index for reading only.
    ///
    /// - Returns: `nil` if there is none.
    /// - Throws: where the file is no database, or one of another version, `isUnusable` says so.
    init?(readingOnly path: String) throws {
        guard let database = try ReadOnlyDatabase.open(path) else { return nil }
        guard try database.read(Self.version) == Self.schemaVersion else { throw OtherVersion() }
        self.database = database
        self.path = path
    }

    func close() { try? database.close() }

    /// Whether what went wrong is mended by an index made anew.
    static func isUnusable(_ error: any Error) -> Bool {
        error is OtherVersion || DatabaseDamage.isDamage(error)
    }

    /// Takes an index away. What it knew is fetched again.
    static func remove(_ path: String) throws(SystemError) {
        for part in files(of: path) {
            do throws(SystemError) { try FileSystem.remove(part) } catch  where error.isNoSuchFile { continue }
        }
    }

    private static func files(of path: String) -> [String] { [path, path + "-wal", path + "-shm"] }

    // MARK: Reading

    // A single SELECT sees one state of the tables by itself (SQLite, "Isolation"): `unsafeRead` spares the transaction
    // around it, four statements that are compiled for each reading.

    /// Another number than before where another process has written in between (SQLite, "PRAGMA data_version").
    func dataVersion() throws -> Int? {
        try database.unsafeRead { database in
            try Int.fetchOne(try database.cachedStatement(sql: "PRAGMA data_version"))
        }
    }

    /// Newest first.
    func responses(for key: String) throws -> [CacheEntry] {
        try database.unsafeRead { database in
            let statement = try database.cachedStatement(
                sql: "SELECT * FROM response WHERE key = ? ORDER BY responseTime DESC, rowid DESC LIMIT ?")
            return try Row.fetchAll(statement, arguments: [key, Self.mostOfKey]).compactMap(CacheEntry.init)
        }
    }

    func response(_ id: String) throws -> CacheEntry? {
        try database.unsafeRead { database in
            let statement = try database.cachedStatement(sql: "SELECT * FROM response WHERE id = ?")
            return try Row.fetchOne(statement, arguments: [id]).flatMap(CacheEntry.init)
        }
    }

    /// The files of one shard that have a row.
    func files(in shard: String) throws -> Set<String> {
        try database.unsafeRead { database in
            let statement = try database.cachedStatement(sql: "SELECT file FROM response WHERE file >= ? AND file < ?")
            return try String.fetchSet(statement, arguments: [shard, shard + "g"])
        }
    }

    /// Responses with a file, as many of those that were used least recently as have so many bytes; fewer where there are
    /// no more.
    ///
    /// - Parameters:
    ///   - uses: that are not written yet; in microseconds since 1970, by id.
    ///   - ids: to be passed over.
    func leastUsed(
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

    struct Totals: Equatable {
        var entries = 0
        var bytes = 0
    }

    static func totals(_ database: Database) throws -> Totals {
        let statement = try database.cachedStatement(sql: "SELECT entries, bytes FROM total")
        guard let row = try Row.fetchOne(statement) else { return Totals() }
        return Totals(entries: try row.sound("entries"), bytes: try row.sound("bytes"))
    }

    /// Forgets everything.
    func clear() throws {
        try database.write { try $0.execute(sql: "DELETE FROM response") }
        // The room is given back where nobody else is at it.
        try? database.vacuum()
    }
}

extension Row {
    /// `nil` for NULL, and for what is of another type.
    func value<Value: DatabaseValueConvertible>(of column: String) -> Value? { Value.fromDatabaseValue(self[column]) }

    /// A value as it was written. What a broken disk, or another hand, has made of it is damage like other damage.
    func sound<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        if let value: Value = value(of: column) { return value }
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the value of \(column) is not valid")
    }
}
