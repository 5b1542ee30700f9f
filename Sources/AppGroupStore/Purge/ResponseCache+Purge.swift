import LinuxIO
import NotificationModel

/// The cache's part of a purge.
extension ResponseCache {
    /// Responses that are removed in one transaction.
    private static let purgeBatch = 512

    /// Returns the ids of the stored responses that come from a target.
    ///
    /// - Throws: `storage-failed` if the index cannot be asked.
    func ids(matching target: PurgeTarget) throws(MediaFailure) -> Set<String> {
        try asked { Set(try $0.ids(matching: target)) }
    }

    /// Returns those of some ids that have a response.
    ///
    /// - Throws: `storage-failed` if the index cannot be asked.
    func stored(_ ids: Set<String>) throws(MediaFailure) -> Set<String> {
        try asked { try $0.stored(ids) }
    }

    /// Removes responses with their bodies, from memory and from the disk.
    ///
    /// - Throws: `storage-failed` if the index does not take it.
    func purge(_ ids: Set<String>) async throws(MediaFailure) {
        front.withLock { $0.recent.forgetAll() }
        var rest = Array(ids)[...]
        while !rest.isEmpty {
            change(.remove(ids: Array(rest.prefix(Self.purgeBatch))))
            rest = rest.dropFirst(Self.purgeBatch)
            flush()
            guard !isBehind else { throw MediaFailure(.storageFailed, "the index of the cache cannot be written") }
            await Task.yield()
        }
    }

    private func asked(_ body: (CacheIndex) throws -> Set<String>) throws(MediaFailure) -> Set<String> {
        // Responses that have just been stored are written first. An index that is not there is not made for a question.
        flush()
        guard FileSystem.size(of: indexPath) != nil else { return [] }
        guard let answer = withIndex("be read", body) else {
            throw MediaFailure(.storageFailed, "the index of the cache cannot be read")
        }
        return answer
    }
}
