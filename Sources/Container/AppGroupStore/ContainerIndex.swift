import Base
import FoundationEssentials
package import GRDB
import LinuxIO
import NotificationModel
import SQLiteFiles

/// The error of an index whose tables a newer version created. This version must not write to it.
package struct NewerIndex: Error, CustomStringConvertible {
    package let description = "a newer version of appgroupd made the index: start that version, or name another root"

    package init() {}
}

/// The database `index.sqlite`. It lists the files of the container, and the messages with the files that each message
/// shows. Other processes may read the database (WAL).
///
/// The directory takes precedence over the index, and a file is durable before its row. With `synchronous=NORMAL`, a
/// power cut may lose the last rows but never a file. SQLite, "WAL mode": the database stays consistent, and the last
/// commits may roll back. Times are whole seconds since 1970.
package struct ContainerIndex {
    /// The page size of a new index, in bytes. An empty index has 28 pages: at least one for each table and index.
    private static let pageBytes = 1_024
    /// The page cache of one connection, in KiB. Other pages are in the kernel's cache of the file.
    private static let cacheKibibytes = 128

    package let database: DatabaseQueue
    private let path: String
    /// The inode number of the open database file; `nil` if the file could not be read.
    private let fileNumber: UInt?

    /// Opens an index. A damaged index is renamed, which `warn` reports as a sentence, and replaced.
    package static func open(_ path: String, warn: (String) -> Void) throws -> ContainerIndex {
        let number = Self.fileNumber(of: path)
        do { return try ContainerIndex(path: path) } catch
            where DatabaseDamage.isDamage(error) || (try? FileSystem.look(at: path).kind) == .directory
        {
            return try replace(path, fileNumber: number, because: error, warn: warn)
        }
    }

    /// Reads every page of the index over a connection of its own, also pages that no query reads. Throws an error for
    /// which `DatabaseDamage.isDamage` is true, if a page is not one that SQLite has written.
    func check() async throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(1)
        let reader = try DatabaseQueue(path: path, configuration: configuration)
        try await reader.read { try DatabaseDamage.check($0) }
    }

    /// Closes the index. SQLite then moves the last changes from the WAL into the database, and deletes its files.
    ///
    /// Empty files replace the deleted files. With the empty files, a process that must not create files in the
    /// directory can read the database ("Write-Ahead Logging", "Read-Only Databases" in SQLite's documentation).
    func close() {
        try? database.close()
        for part in ["-wal", "-shm"] { try? FileSystem.createEmpty(path + part, like: path) }
    }

    /// Releases the memory of compiled statements and pages.
    func releaseMemory() { database.releaseMemory() }

    /// Closes an index that is damaged, and opens the new index that replaces it.
    package func replaced(because error: any Error, warn: (String) -> Void) throws -> ContainerIndex {
        try? database.close()
        return try Self.replace(path, fileNumber: fileNumber, because: error, warn: warn)
    }

    /// Renames a damaged index to `index.sqlite.damaged`, and creates an empty one. The caller then makes rows from the
    /// files in the directory. If the inode number has changed, another process has already replaced the file.
    private static func replace(
        _ path: String, fileNumber number: UInt?, because error: any Error, warn: (String) -> Void
    ) throws -> ContainerIndex {
        try DirectoryLock.withLock(of: directory(of: path)) {
            guard fileNumber(of: path) == number else { return }
            let words = DatabaseDamage.words(for: error, at: path)
            try FileSystem.rename(path, to: path + ".damaged")
            for part in ["-wal", "-shm"] { try? FileSystem.remove(path + part) }
            warn("\(path) was damaged (\(words)) and is replaced by a new one; the old one is \(path).damaged")
        }
        return try ContainerIndex(path: path)
    }

    private static func fileNumber(of path: String) -> UInt? { (try? FileSystem.look(at: path))?.number }

    private static func directory(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    }

    /// Returns whether a newer version has made the tables of an index; `false` if the index cannot be read.
    package static func isNewer(_ path: String) -> Bool { versions(of: path).map { $0.stored > $0.own } ?? false }

    /// Returns the number of the last migration of an index, and that of this program; `nil` if the index cannot be read.
    package static func versions(of path: String) -> (stored: Int, own: Int)? {
        guard let index = try? ContainerIndex(readingOnly: path),
            let stored = try? index.database.read({ try StoreVersion.last(of: $0) })
        else { return nil }
        return (stored, version)
    }

    /// The number of the last migration of this program.
    package static var version: Int { migrator.migrations.count }

    /// Opens an index for reading only; returns `nil` if the file does not exist.
    package init?(readingOnly path: String) throws {
        guard let database = try ReadOnlyDatabase.open(path) else { return nil }
        self.database = database
        self.path = path
        fileNumber = Self.fileNumber(of: path)
    }

    package init(path: String) throws {
        self.path = path
        var configuration = Configuration()
        configuration.label = "index.sqlite"
        // A one-shot command may write at the same time as the daemon.
        configuration.busyMode = .timeout(1)
        // GRDB's `journalMode` writes to the database each time it is opened, so a pragma sets the mode.
        configuration.prepareDatabase { database in
            try database.execute(
                sql: "PRAGMA page_size = \(Self.pageBytes); PRAGMA cache_size = -\(Self.cacheKibibytes)")
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
            guard mode == "wal" else { throw DatabaseError(message: "the file system does not support WAL: \(path)") }
            // Removed texts of messages are overwritten. Debian's library does this by default. The trigger for removed
            // messages must not run when a message replaces an earlier one, which is SQLite's default.
            try database.execute(
                sql: "PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA recursive_triggers = OFF")
        }
        // The first process creates the tables under a lock. Neither SQLite's change to WAL nor GRDB's migrator waits
        // for another process.
        (database, fileNumber) = try DirectoryLock.withLock(of: Self.directory(of: path)) {
            let database = try DatabaseQueue(path: path, configuration: configuration)
            guard try !database.read(Self.migrator.hasBeenSuperseded) else { throw NewerIndex() }
            if try !database.read(Self.migrator.hasCompletedMigrations) { try Self.migrator.migrate(database) }
            return (database, Self.fileNumber(of: path))
        }
    }

    /// Writes the leases of files before the files exist, so that no eviction removes the files.
    func lease(_ assets: [StoredAsset], until date: Date) throws {
        try database.write { database in
            for asset in assets { try Self.insert(asset, leaseExpiry: date, into: database) }
        }
    }

    /// Returns whether the leases of all files last until a date or longer.
    func areLeased(_ assets: [StoredAsset], until date: Date) throws -> Bool {
        // A single query needs no transaction.
        try database.unsafeRead { database in
            let statement = try database.cachedStatement(sql: "SELECT heldUntil FROM asset WHERE sha256 = ?")
            return try assets.allSatisfy { asset in
                try Double.fetchOne(statement, arguments: [asset.sha256]).map { $0 >= Self.seconds(of: date) } ?? false
            }
        }
    }

    /// Inserts an asset, or updates its row. An update renews the time of use and never shortens the lease. The same
    /// file may be an attachment, which has a preview, and a thumbnail, which has no preview.
    static func insert(
        _ asset: StoredAsset, leaseExpiry date: Date = .distantPast, into database: Database
    ) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO asset
                    (sha256, path, mimeType, bytes, width, height, frames, keptFrames, sourceFrames, durationMs, streams,
                    blurhash, dominantColor, storedAt, usedAt, heldUntil)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, unixepoch(), unixepoch(), ?)
                ON CONFLICT (sha256) DO UPDATE SET usedAt = excluded.usedAt, width = excluded.width,
                    height = excluded.height, frames = excluded.frames, keptFrames = excluded.keptFrames,
                    sourceFrames = excluded.sourceFrames, durationMs = excluded.durationMs, streams = excluded.streams,
                    dominantColor = iif(excluded.blurhash IS NULL, dominantColor, excluded.dominantColor),
                    blurhash = coalesce(excluded.blurhash, blurhash),
                    heldUntil = max(heldUntil, excluded.heldUntil)
                """)
        let info = asset.info
        try statement.execute(arguments: [
            asset.sha256, asset.path, info.type.mimeType, info.byteCount, info.width, info.height, info.frames,
            info.keptFrames, info.sourceFrames, info.duration.map { Int($0.milliseconds) }, info.streams?.json.text,
            info.preview?.blurhash, info.preview?.dominantColor,
            Int(seconds(of: date)),
        ])
    }

    /// Returns a date in whole seconds since 1970, rounded up, as the index has it.
    static func seconds(of date: Date) -> Double { max(0, date.timeIntervalSince1970.rounded(.up)) }
}
