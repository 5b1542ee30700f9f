import AppGroupStore
import GRDB
import HTTPCaching
import LinuxIO
import SQLiteFiles

/// A case of damage that `StoreInspection` finds in the HTTP cache or in a container.
package struct StoreDamage: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The index has a row, and its file is missing.
        case missing
        /// The file is shorter than its row says.
        case truncated
        /// The bytes of the file do not match the digest in its name or its checksum.
        case wrongDigest = "wrong-digest"
        /// The file has no row, and is older than an hour.
        case orphan
        /// A row contradicts its file, other rows or itself.
        case indexMismatch = "index-mismatch"
        /// The index cannot be read.
        case indexDamaged = "index-damaged"
        /// The file cannot be read.
        case unreadable
    }

    package var kind: Kind
    /// The path of the file or of the index, relative to the root.
    package var path: String
    /// The id of a response or the digest of a media file; `nil` if the damage has no row.
    package var key: String?
    /// The description of the damage, as a sentence for people.
    package var detail: String
    /// Whether the repair succeeded; `nil` if the inspection does not repair.
    package var isRepaired: Bool?
}

package struct InspectionReport: Sendable, Equatable {
    package var damages: [StoreDamage] = []
    /// Sentences about indexes of other versions, which are not compared.
    package var notes: [String] = []
    /// The number of rows of responses that were compared.
    package var responses = 0
    /// The number of rows of media files that were compared.
    package var files = 0
    /// The number of bytes that were read.
    package var bytes = 0
}

/// The repair of one case of damage.
enum StoreRepair: Equatable {
    /// Deletes the row of a response, and removes its file.
    case forgetResponse(id: String, file: String?)
    /// Corrects the size in a response's row.
    case recountResponse(id: String, bytes: Int)
    case recountTotals
    /// Removes a file of the cache that no row names.
    case removeBody(path: String)
    /// Removes all responses and their bodies together with the index.
    case removeCache
    /// Deletes the row of a media file, and removes the file if it exists.
    case forgetAsset(digest: String, path: String?)
    /// Corrects the row of a media file from the file.
    case correctAsset(ContainerIndex.FoundFile)
    /// Removes a file of the container that no row names.
    case removeMedia(path: String)
    /// Deletes rows that refer to a missing file or message.
    case removeDanglingRows
    /// Renames the damaged index of a group, and creates a new index from the files.
    case replaceIndex
    /// The program cannot repair the damage.
    case none
}

/// The error of an index that cannot be read, as a sentence for the operator.
package struct IndexProblem: Error, Equatable, CustomStringConvertible {
    private let path: String
    private let text: String

    package var description: String { "\(path): \(text)" }

    /// Runs a body, and adds the path of the index to the errors of SQLite that the body throws. Throws
    /// ``IndexProblem``, or another error of the body.
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
