import Base
import LinuxIO
package import NotificationModel

/// The part of a purge that removes responses from the HTTP cache.
extension ResponseCache {
    /// The number of responses that are removed in one transaction.
    private static let purgeBatch = 512

    /// Returns the ids of the responses from a target. Throws `storage-failed` if the index cannot be read.
    package func ids(matching target: PurgeTarget) throws(MediaFailure) -> Set<String> {
        try asked { Set(try $0.ids(matching: target)) }
    }

    /// Returns the ids that have a response in the cache. Throws `storage-failed` if the index cannot be read.
    package func stored(_ ids: Set<String>) throws(MediaFailure) -> Set<String> { try asked { try $0.stored(ids) } }

    /// Removes responses from memory and from the disk. Throws `storage-failed` if the index cannot be written.
    package func purge(_ ids: Set<String>) async throws(MediaFailure) {
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
        // Responses that were just stored are written first. A query does not create a missing index.
        flush()
        guard FileSystem.size(of: indexPath) != nil else { return [] }
        guard let answer = withIndex("be read", body) else {
            throw MediaFailure(.storageFailed, "the index of the cache cannot be read")
        }
        return answer
    }
}
