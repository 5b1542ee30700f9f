/// A port that removes media which must not be shown any more, from the HTTP cache, the containers and the memory.
package protocol CachePurging: Sendable {
    /// - Throws: `invalid-url` if the target is not valid; `storage-failed` if a part of it could not be removed.
    func purge(_ target: PurgeTarget) async throws(MediaFailure) -> PurgeReport
}
