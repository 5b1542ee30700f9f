import Base
import FoundationEssentials
package import LinuxIO
package import NotificationModel

/// The store of the HTTP cache: `ROOT/.cache/`, a name that no group has, with an index and a file for each body.
///
/// **Input.** The cache stores headers, with files of bytes that get a name in the cache. **Output.** The cache returns
/// headers, from memory if they were looked up recently, and files that are open for reading.
///
/// **Refused.** The cache refuses a response that is larger than the limits. A failure of the cache is never an error
/// of a fetch. A response that the disk does not accept is not stored, and the failure is reported. A missing or
/// damaged response is fetched again. When the quota is full, the least recently used responses are evicted. Another
/// process may share the directory.
///
/// No file is synced, because a lost response costs only a fetch. After a power cut a file may have its length without
/// its bytes. Therefore, the index has the checksum of each body, and the boot in which it was written. In that boot
/// the page cache has the bytes, even if the process was killed. In a later boot the bytes are compared with the
/// checksum once, before they are served. Deleting the files instead would empty the cache at every restart of the
/// machine. Syncing the files would cost a flush of the disk for each fetch.
///
/// **Thread.** All blocking work runs on one thread. Only the body of a response in memory is opened on the thread of
/// the caller. Inserts within 10 ms and changes that arrive while the thread is busy share a transaction.
/// **Cancellation.** The cache ignores the cancellation of a task. The daemon calls `shutdown()` after the last fetch.
package actor ResponseCache: ResponseStoring {
    /// The name of the cache's directory in the root.
    package static let directoryName = ".cache"
    /// The number of uses in memory at which they are written to the index.
    static let maxUses = 1_024

    /// The state that lookups read without the cache's thread.
    struct Front {
        var recent: RecentResponses
        /// The end of the time in which lookups use the memory without a check; `nil` if they do not use it. After this
        /// time, a lookup checks whether another process has written.
        var trustedUntil: MonotonicInstant?
        /// The uses that are not written yet, by id, in microseconds since 1970.
        var uses: [String: Int64] = [:]
        var lookups = 0
        var lookupsFromMemory = 0
    }

    package nonisolated let purges = RecentPurges()
    nonisolated let bodies: CacheBodies
    private nonisolated let boot: String
    let memoryAge: Duration
    nonisolated let loop: EventLoop
    nonisolated let front: Guarded<Front>

    var limits: ResponseCacheLimits
    var index: CacheIndex?
    var unusableUntil: MonotonicInstant?
    var dataVersion: Int?
    /// The end of the time in which nothing is stored because the disk was full; `nil` if it was not full.
    var coolsDownUntil: MonotonicInstant?
    var pending = PendingChanges()
    var isScheduled = false
    /// Whether a timer runs that writes the pending changes.
    var isTimed = false
    /// Whether a timer runs that tries a failed write again. At most one such timer runs, even if several writes fail.
    var isRetryAhead = false
    var isClosed = false
    var transactions = 0
    var nextShard = Int.random(in: CacheBodies.shards.indices)
    var counts = ResponseCacheStatistics()
    var warnings: RateLimitedWarnings

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Creates a cache. No file is created before the first use.
    ///
    /// - Parameter recentKeys: The maximum number of URLs whose responses are kept in memory.
    /// - Parameter memoryAge: The time for which a change of another process may go unnoticed.
    /// - Parameter thread: The thread of the cache, which other parts share; `nil` for a separate thread.
    /// - Parameter warn: A closure that receives a sentence about a response that cannot be stored, at most once a
    ///   minute for each kind of error.
    /// - Throws: The error of the system if the thread cannot be started.
    package init(
        root: String, limits: ResponseCacheLimits = ResponseCacheLimits(), recentKeys: Int = 4_096,
        memoryAge: Duration = .milliseconds(100), on thread: EventLoop? = nil,
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(SystemError) {
        bodies = CacheBodies(root: root)
        // If the boot has no name, a body of another process is always compared with its checksum.
        let boot = try? FileSystem.contents(of: "/proc/sys/kernel/random/boot_id")
        self.boot = boot.map { String(decoding: $0.filter { $0 > 0x20 }, as: UTF8.self) } ?? UUID().uuidString
        self.limits = limits
        self.memoryAge = memoryAge
        front = Guarded(Front(recent: RecentResponses(maxKeys: recentKeys)))
        warnings = RateLimitedWarnings(warn)
        loop = try EventLoop.start(name: "agd-files", orShare: thread)
    }

    /// Writes the pending changes and ends the thread. The daemon calls this function once, when no fetch is left.
    package nonisolated func shutdown() async {
        await close()
        loop.shutdown()
    }

    // MARK: Conformance to ResponseStoring

    package nonisolated func responses(for key: String) async -> [StoredResponse] {
        if let list = known(key) { return list.map(\.response) }
        return await load(key).map(\.response)
    }

    /// Opens a body on the calling thread if the response is in memory and its bytes need no comparison.
    package nonisolated func body(of response: StoredResponse) async -> MediaFile? {
        guard let entry = front.withLock({ $0.recent.response(response.id) }), let body = entry.body,
            body.boot == boot, entry.response.storedBytes == response.storedBytes,
            let file = try? bodies.open(body.name), (try? FileSystem.size(of: file)) == response.storedBytes.count
        else { return await checkedBody(of: response) }
        use(response.id)
        return file
    }

    private func checkedBody(of response: StoredResponse) async -> MediaFile? {
        // Another process may have replaced the remembered response.
        let remembered = front.withLock { $0.recent.response(response.id) }
        if let remembered, let file = await open(remembered, as: response) { return file }
        flush()
        guard !isBehind, let stored = withIndex("be read", { try $0.response(response.id) }).flatMap(\.self),
            stored.body?.name != remembered?.body?.name
        else { return nil }
        return await open(stored, as: response)
    }

    package nonisolated var purgeMark: RecentPurges.Mark { purges.mark }

    package func insert(
        _ response: StoredResponse, body: MediaFile?, checksum known: UInt64?, since mark: RecentPurges.Mark
    ) async {
        guard response.storedBytes.count <= min(limits.largest, limits.quota) else {
            counts.refused += 1
            return
        }
        guard !isResting else { return refuse("the disk is full") }
        do {
            let text = SerializedHead(response)
            var entry = CacheEntry(response: response, headByteCount: text.byteCount)
            guard try body.map({ try FileSystem.size(of: $0) }) ?? 0 == response.storedBytes.count else {
                return refuse("its body does not have the length in its headers")
            }
            var checksum = known ?? 0
            if let body, known == nil { checksum = try await CacheBodies.checksum(of: body) }
            // This block has no suspension point, so a purge either finds the response or was recorded before.
            guard !purges.havePurged([response.url], since: mark) else { return }
            if let body { entry.body = .init(name: try bodies.keep(body), checksum: checksum, boot: boot) }
            front.withLock { [entry] in $0.recent.insert(entry) }
            change(.insert(entry, text))
        } catch {
            refuse("\(error)")
        }
    }

    package func update(_ response: StoredResponse) async {
        let text = SerializedHead(response)
        front.withLock { front in
            guard var entry = front.recent.response(response.id) else { return front.recent.forget(response.key) }
            entry.response = response
            entry.headByteCount = text.byteCount
            front.recent.insert(entry)
        }
        change(.update(response, text))
    }

    package func remove(_ ids: [String]) async {
        front.withLock { front in
            for id in ids { front.recent.remove(id) }
        }
        change(.remove(ids: ids))
    }

    package func removeAll(for key: String) async {
        front.withLock { $0.recent.set([], for: key) }
        change(.removeAll(key: key))
    }

    /// Opens the body of a response; returns `nil` if its bytes are missing or damaged, and removes the response then.
    private func open(_ entry: CacheEntry, as response: StoredResponse) async -> MediaFile? {
        guard let body = entry.body, entry.response.storedBytes == response.storedBytes else { return nil }
        do throws(SystemError) {
            let file = try bodies.open(body.name)
            if try await isWhole(file, body, of: entry.response) {
                use(response.id)
                return file
            }
        } catch  where !error.isNoSuchFile {
            // An error such as too many open files is no reason to remove the response.
            warnings.report("open", "a body in the cache cannot be read: \(error)")
            return nil
        } catch {}
        front.withLock { $0.recent.forget(entry.response.key) }
        change(.removeFile(body.name))
        return nil
    }

    private func isWhole(
        _ file: MediaFile, _ body: CacheEntry.Body, of response: StoredResponse
    ) async throws(SystemError) -> Bool {
        guard try FileSystem.size(of: file) == response.storedBytes.count else { return false }
        if body.boot == boot { return true }
        guard try await CacheBodies.checksum(of: file) == body.checksum else { return false }
        front.withLock { $0.recent.forget(response.key) }
        change(.verified(file: body.name, boot: boot))
        return true
    }

    func refuse(_ reason: String) {
        counts.refused += 1
        warnings.report("refuse", "a response is not stored in the cache: \(reason)")
    }
}

/// The counts of the HTTP response cache: its contents, and its work since it was opened.
package struct ResponseCacheStatistics: Sendable, Equatable {
    /// The number of stored responses, including those of other processes.
    package var entries = 0
    /// The number of bytes of the bodies and headers of all stored responses.
    package var bytes = 0
    /// The number of keys that were looked up.
    package var lookups = 0
    /// The number of keys that were found in memory, without a read of the index.
    package var lookupsFromMemory = 0
    /// The number of responses that were evicted to free space for others.
    package var evicted = 0
    /// The number of responses that were refused because they were too large, or because the disk did not accept them.
    package var refused = 0
}
