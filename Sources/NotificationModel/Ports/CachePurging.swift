/// Removes media that must not be shown any more: from the HTTP cache, from the containers and from memory.
package protocol CachePurging: Sendable {
    /// - Throws: `invalid-url` for a target that names nothing, `storage-failed` if something could not be removed.
    func purge(_ target: PurgeTarget) async throws(MediaFailure) -> PurgeReport
}
