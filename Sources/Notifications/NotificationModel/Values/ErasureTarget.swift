import FoundationEssentials

/// The part of an app group that an erasure removes: all data about a request, a message, a thread, a recipient, or the
/// whole group.
package struct ErasureTarget: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The request with an id.
        case id
        /// All requests of a message, by the provider's id.
        case providerID = "providerId"
        case thread
        case recipient
        /// Everything in the group.
        case group
    }

    package let group: AppGroupName
    package let kind: Kind
    /// The id or the name; empty for a whole group.
    package let name: String

    package init(group: AppGroupName, kind: Kind, name: String) {
        self.group = group
        self.kind = kind
        self.name = name
    }
}

/// The numbers of things that an erasure has removed.
package struct ErasureCounts: Sendable, Equatable {
    /// Requests that were cancelled, because their results were not emitted yet.
    package var cancelled = 0
    package var results = 0
    package var listed = 0
    package var recipients = 0
    /// Files of the spool: waiting, claimed, rejected or in the outbox.
    package var spoolFiles = 0
    package var batchLines = 0
    package var namedMessages = 0
    /// Messages to callback targets.
    package var callbacks = 0
    /// Messages in the index of the container.
    package var messages = 0
    package var mediaFiles = 0
    /// Recordings of failed requests.
    package var recordings = 0
    /// Media files that stay, because other messages or pins use the same bytes.
    package var sharedFiles = 0
    /// Results, files, lines and named messages that only mention the names. They stay.
    package var mentions = 0

    package init() {}

    /// The counts with their names in documents, in the order of documents. Rows of erasures have the numbers in this order,
    /// so a new member is the last one.
    package static let members: [(name: String, path: any WritableKeyPath<ErasureCounts, Int> & Sendable)] = [
        ("cancelled", \.cancelled), ("results", \.results), ("listed", \.listed), ("receivers", \.recipients),
        ("spoolFiles", \.spoolFiles), ("batchLines", \.batchLines), ("namedMessages", \.namedMessages),
        ("messages", \.messages),
        ("mediaFiles", \.mediaFiles), ("sharedFiles", \.sharedFiles), ("callbacks", \.callbacks),
        ("recordings", \.recordings), ("mentions", \.mentions),
    ]

    package static func += (sum: inout ErasureCounts, other: ErasureCounts) {
        for member in members { sum[keyPath: member.path] += other[keyPath: member.path] }
    }
}

/// A store from which erasures remove data. Each store that keeps data of messages or recipients has this port, and is
/// in the list of the program, so that no store is forgotten.
///
/// All calls can be repeated: after a restart, an erasure begins again with its first step.
package protocol Erasable: Sendable {
    /// The tables and directories of the store, as `index.sqlite/message` or `outbox`, from which `erase` removes data.
    static var erasedPlaces: [String] { get }

    /// Removes the data of one step.
    ///
    /// - Throws: A `MediaFailure` if some data could not be removed. The step is tried again.
    func erase(_ step: ErasureStep) async throws(MediaFailure) -> ErasureCounts

    /// Removes the remains of removed rows from databases, after the last step.
    ///
    /// - Returns: `false` if another process reads a database, so that old pages must stay until it ends.
    func scrub(_ group: AppGroupName) async throws(MediaFailure) -> Bool
}

extension Erasable {
    package func scrub(_ group: AppGroupName) async throws(MediaFailure) -> Bool { true }
}
