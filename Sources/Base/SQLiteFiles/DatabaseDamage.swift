package import GRDB
package import LinuxIO

/// The recognition of errors which show that SQLite has not written the content of a database file.
///
/// To add a new check of values, do this: write an accessor in the extension of `Row` in this file, which throws
/// `Row.damage(in:)` for a value that the program cannot have written. The stores then read their columns with this
/// accessor.
package enum DatabaseDamage {
    package static func isDamage(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
    }

    /// Reads every page of a database. Throws an error for which `isDamage` is true, if SQLite has not written a page.
    package static func check(_ database: Database) throws {
        let found = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        guard found == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: found) }
    }

    /// Returns a sentence about the damage of a file. The sentence is the message of SQLite, or the message of the
    /// system if the disk does not deliver the file.
    package static func words(for error: any Error, at path: String) -> String {
        readFailure(of: path)?.reason ?? (error as? DatabaseError)?.message ?? "\(error)"
    }

    /// Reads a database and its write-ahead log once more. Returns the error that ends the reading; `nil` if both files
    /// can be read to their ends.
    ///
    /// SQLite reports a page that the disk did not deliver (EIO) in the same way as a malformed page: `sqlite3VdbeExec`
    /// turns SQLITE_IOERR_CORRUPTFS into SQLITE_CORRUPT. This function tells the two cases apart.
    package static func readFailure(of path: String) -> SystemError? { failure(path) ?? failure(path + "-wal") }

    private static func failure(_ path: String) -> SystemError? {
        do throws(SystemError) {
            // SQLite also reads with pread, so this read fails with the same errors.
            try FileSystem.forEachChunk(of: try FileSystem.openForReading(path)) { _ in }
            return nil
        } catch {
            return error.isNoSuchFile ? nil : error
        }
    }
}

/// The accessors for columns. A value that the program cannot have written is treated as damage, because a broken disk
/// or another program wrote it. GRDB's own subscript would crash the process.
extension Row {
    /// Returns the value of a column; `nil` if the column has NULL or a value of another type.
    package func value<Value: DatabaseValueConvertible>(of column: String) -> Value? {
        Value.fromDatabaseValue(self[column])
    }

    /// Returns a value of the expected type, or throws an error for which `DatabaseDamage.isDamage` is true.
    package func sound<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        if let value: Value = value(of: column) { return value }
        throw Row.damage(in: column)
    }

    /// Returns a size in bytes, at most a tebibyte.
    package func byteCount(_ column: String) throws -> Int {
        let count: Int = try sound(column)
        guard (0...(1 << 40)).contains(count) else { throw Row.damage(in: column) }
        return count
    }

    package static func damage(in column: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the value of \(column) is not valid")
    }
}
