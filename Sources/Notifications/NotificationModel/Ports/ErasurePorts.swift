/// A store from which erasures remove data. Each store that keeps data of messages or receivers has this port, and is
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

/// The port that reads the names of stored requests. Nothing is fetched or stored.
package protocol RequestNaming: Sendable {
    /// - Throws: The error of an unusable envelope.
    func names(of submission: Submission) throws(EnvelopeError) -> RequestNames
}
