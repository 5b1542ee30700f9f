import GRDB
import LinuxIO

/// Which errors say that a database file is not what SQLite has written.
enum DatabaseDamage {
    static func isDamage(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
    }

    /// Reads every page of a database.
    ///
    /// - Throws: what `isDamage` recognises, when a page is not what SQLite has written.
    static func check(_ database: Database) throws {
        let found = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        guard found == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: found) }
    }

    /// Says why a file is damaged, in words: SQLite's, or the system's when the disk does not deliver the file.
    static func words(for error: any Error, at path: String) -> String {
        readFailure(of: path)?.reason ?? (error as? DatabaseError)?.message ?? "\(error)"
    }

    /// Reads a database and its log once more.
    ///
    /// SQLite reports a page that the disk did not deliver (EIO) like a malformed one: `sqlite3VdbeExec` turns
    /// SQLITE_IOERR_CORRUPTFS into SQLITE_CORRUPT. This tells the two apart.
    ///
    /// - Returns: why they cannot be read to their ends; `nil` when they can.
    static func readFailure(of path: String) -> SystemError? { failure(path) ?? failure(path + "-wal") }

    private static func failure(_ path: String) -> SystemError? {
        do throws(SystemError) {
            // By pread, as SQLite does.
            try FileSystem.forEachChunk(of: try FileSystem.openForReading(path)) { _ in }
            return nil
        } catch {
            return error.isNoSuchFile ? nil : error
        }
    }
}
