import GRDB
import HTTPCacheStore
import LinuxIO
import SQLiteFiles

/// The error of an index that cannot be read, as a sentence for the operator.
package struct IndexProblem: Error, Equatable, CustomStringConvertible {
    private let path: String
    private let text: String

    package var description: String { "\(path): \(text)" }

    /// Runs a body, and adds the path of the index to the errors of SQLite that the body throws.
    ///
    /// - Throws: ``IndexProblem``, or another error of the body.
    static func naming<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as DatabaseError {
            throw IndexProblem(path: path, text: words(for: error, at: path))
        } catch is CacheIndex.OtherVersion {
            throw IndexProblem(path: path, text: otherProgram)
        }
    }

    private static let otherProgram = "another version of the program made it"

    private static func words(for error: DatabaseError, at path: String) -> String {
        if DatabaseDamage.isDamage(error) {
            let failure = DatabaseDamage.readFailure(of: path)?.reason
            return failure.map { "the disk cannot read it: \($0)" }
                ?? "it is damaged: appgroupd cache verify --repair makes a new one"
        }
        if DiskSpace.isFull(error) || needsMemoryFile(error) { return "the disk is full: free some space" }
        return switch error.resultCode {
        case .SQLITE_IOERR: "the disk cannot read it: check the disk; the kernel's log has the error"
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH:
            "this user cannot read it, or cannot write to its directory: run the command as the user of the daemon"
        case .SQLITE_BUSY, .SQLITE_LOCKED: "another program has locked it: try again"
        case .SQLITE_ERROR: otherProgram
        default: "it cannot be read: \(error.message ?? "error \(error.resultCode.rawValue)")"
        }
    }

    /// Returns whether the file `-shm` could not grow. A reader shares memory with the writer through this file beside
    /// the index. The file needs space on the disk.
    private static func needsMemoryFile(_ error: DatabaseError) -> Bool {
        [.SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMMAP].contains(error.extendedResultCode)
    }
}
