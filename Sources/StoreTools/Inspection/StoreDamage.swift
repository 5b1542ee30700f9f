import AppGroupStore

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
    /// The key of the damaged row: the id of a response or the digest of a media file. It is `nil` if the damage has no
    /// row.
    package var key: String?
    /// The description of the damage, as a sentence for people.
    package var detail: String
    /// Whether the repair succeeded; `nil` if the inspection does not repair.
    package var isRepaired: Bool?
}

/// The result of an inspection.
package struct InspectionReport: Sendable, Equatable {
    package var damages: [StoreDamage] = []
    /// The number of rows of responses that were compared.
    package var responses = 0
    /// The number of rows of media files that were compared.
    package var files = 0
    /// The number of bytes that were read.
    package var bytes = 0

    package init() {}
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
