/// Damage that `StoreInspection` finds in the HTTP cache or in a container.
package struct StoreDamage: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The index has a row, and its file is not there.
        case missing
        /// The file is shorter than it was.
        case truncated
        /// The file has other bytes than its name or its checksum says.
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
    /// Path of the file or of the index, relative to the root.
    package var path: String
    /// The row that is concerned: the id of a response, the digest of a media file. `nil` if there is none.
    package var key: String?
    /// A sentence for people.
    package var detail: String
    /// `nil` if nobody was to repair it.
    package var isRepaired: Bool?
}

/// The result of an inspection.
package struct InspectionReport: Sendable, Equatable {
    package var damages: [StoreDamage] = []
    /// Rows of responses that were compared.
    package var responses = 0
    /// Rows of media files that were compared.
    package var files = 0
    /// Bytes that were read.
    package var bytes = 0

    package init() {}
}

/// How damage that was found is repaired.
enum StoreRepair: Equatable {
    /// Deletes the row of a response, and removes its file.
    case forgetResponse(id: String, file: String?)
    /// Corrects the size that a response's row counts for.
    case recountResponse(id: String, bytes: Int)
    case recountTotals
    /// Removes a file of the cache that no row names.
    case removeBody(path: String)
    /// Removes all responses and their bodies with the index.
    case removeCache
    /// Deletes the row of a media file, and removes the file if there is one.
    case forgetAsset(digest: String, path: String?)
    /// Makes the row of a media file say what the file says.
    case correctAsset(ContainerIndex.FoundFile)
    /// Removes a file of the container that no row names.
    case removeMedia(path: String)
    /// Deletes rows that refer to files or messages without a row.
    case removeDanglingRows
    /// Puts the index of a group aside, and makes one of the files.
    case replaceIndex
    /// There is nothing that the program could do.
    case none
}
