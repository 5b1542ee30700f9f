import AppGroupStore
import HTTPCaching
import LinuxIO
import NotificationModel

/// The damage of a response, decided from its row and its file. The type does no I/O.
enum BodyFinding: Equatable {
    case badRow
    /// - Parameter bytes: The number of bytes that the row should count.
    case wrongCount(Int)
    case missing
    case otherKind
    case truncated(Int)
    case wrongDigest
    case unreadable(String)

    /// Compares the size of a body with its row, both in bytes, and takes into account whether its checksum is the
    /// same. Returns `nil` if the body is intact.
    init?(stored: Int, found: Int, isSame: Bool) {
        if found < stored {
            self = .truncated(found)
        } else if found > stored || !isSame {
            self = .wrongDigest
        } else {
            return nil
        }
    }

    var kind: StoreDamage.Kind {
        switch self {
        case .badRow, .wrongCount: .indexMismatch
        case .missing, .otherKind: .missing
        case .truncated: .truncated
        case .wrongDigest: .wrongDigest
        case .unreadable: .unreadable
        }
    }

    func repair(for row: CacheIndex.ListedRow) -> StoreRepair {
        switch self {
        case .wrongCount(let bytes): .recountResponse(id: row.id, bytes: bytes)
        case .unreadable: .none
        default: .forgetResponse(id: row.id, file: row.file)
        }
    }

    func detail(for row: CacheIndex.ListedRow) -> String {
        switch self {
        case .badRow: "the row of a response has an impossible value"
        case .wrongCount(let bytes): "the row says \(row.bytes) bytes for headers and body, and they have \(bytes)"
        case .missing: "the file of a response is missing"
        case .otherKind: "the file of a response is a link, a directory or a device"
        case .truncated(let count):
            "the file has \(count) of \(row.entry?.response.storedBytes.count ?? 0) bytes"
        case .wrongDigest: "the file has another checksum than the response"
        case .unreadable(let reason): "the file cannot be read: \(reason)"
        }
    }
}

/// The damage of a media file, decided from its row and its file. The type does no I/O.
enum MediaFinding: Equatable {
    case missing
    case otherKind
    case truncated(Int)
    case wrongDigest
    case unreadable(String)
    /// The file is intact, and its row contradicts it.
    case badRow(ContainerIndex.FoundFile)

    /// Compares a file with its row. `isSame` means that the file's bytes have the digest in its name. Returns `nil` if
    /// the file is intact and its row is correct.
    init?(row: ContainerIndex.ListedAsset, found: ContainerIndex.FoundFile, isSame: Bool) {
        if !isSame {
            self = found.byteCount < row.bytes ?? 0 ? .truncated(found.byteCount) : .wrongDigest
        } else if row.bytes != found.byteCount || row.path != found.path || row.mimeType != found.mimeType {
            self = .badRow(found)
        } else {
            return nil
        }
    }

    var kind: StoreDamage.Kind {
        switch self {
        case .missing, .otherKind: .missing
        case .truncated: .truncated
        case .wrongDigest: .wrongDigest
        case .unreadable: .unreadable
        case .badRow: .indexMismatch
        }
    }

    /// Returns the repair of the damage. The path of the file within the group is `nil` if the file does not exist.
    func repair(for row: ContainerIndex.ListedAsset, path: String?) -> StoreRepair {
        switch self {
        case .unreadable: .none
        case .badRow(let found): .correctAsset(found)
        default: .forgetAsset(digest: row.digest, path: path)
        }
    }

    func detail(for row: ContainerIndex.ListedAsset) -> String {
        switch self {
        case .missing: "the file is missing"
        case .otherKind: "the file is a link, a directory or a device"
        case .truncated(let count): "the file has \(count) of \(row.bytes ?? 0) bytes"
        case .wrongDigest: "the bytes of the file have another digest than its name"
        case .unreadable(let reason): "the file cannot be read: \(reason)"
        case .badRow(let found):
            """
            the row says \(row.bytes.map { "\($0)" } ?? "no") bytes, \(row.mimeType ?? "no type") and \
            \(row.path ?? "no path"), but the file is \(found.path) with \(found.byteCount) bytes
            """
        }
    }
}

/// The result of opening a path where a stored file should be. Links are not followed.
enum FileInspection {
    case missing
    /// The path is a link, a directory, a FIFO or a device.
    case otherKind
    case unreadable(SystemError)
    /// - Parameter byteCount: The size of the file, in bytes.
    case file(MediaFile, byteCount: Int)

    init(at path: String) throws(SystemError) {
        do throws(SystemError) {
            guard try FileSystem.look(at: path).kind == .regular else {
                self = .otherKind
                return
            }
            let file = try FileSystem.openForReading(path)
            self = .file(file, byteCount: try FileSystem.size(of: file))
        } catch  where error.isNoSuchFile || error.isNoDirectory {
            self = .missing
        } catch  where error.isOutOfDescriptors {
            throw error
        } catch {
            self = .unreadable(error)
        }
    }
}
