import AppGroupStore
import NotificationModel

/// The damage of a media file, decided from its row and its file. The type does no I/O.
enum MediaFinding: Equatable {
    case missing
    case otherKind
    case truncated(Int)
    case wrongDigest
    case unreadable(String)
    /// The file is intact, and its row contradicts it.
    case badRow(ContainerIndex.FoundFile)

    /// Compares a file with its row.
    ///
    /// - Parameter isSame: Whether the file's bytes have the digest in its name.
    /// - Returns: `nil` if the file is intact and its row is correct.
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

    /// Returns the repair of the damage.
    ///
    /// - Parameter path: The path of the file within the group; `nil` if the file does not exist.
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
