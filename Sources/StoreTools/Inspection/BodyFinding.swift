import HTTPCacheStore
import HTTPCaching

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

    /// Compares a body with its row.
    ///
    /// - Parameter stored: The size of the body according to its row, in bytes.
    /// - Parameter found: The size of the file, in bytes.
    /// - Parameter isSame: Whether the file has the row's checksum.
    /// - Returns: `nil` if the body is intact.
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
