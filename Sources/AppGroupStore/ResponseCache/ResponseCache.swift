import FoundationEssentials
package import HTTPCaching
package import LinuxIO
package import NotificationModel

/// The HTTP cache's store: `ROOT/.cache/`, which no app group's name can be, with an index and a file for each body.
///
/// In come heads with files of bytes, which get a name there; out go heads, from memory where they were asked for lately,
/// and the files, open for reading. What is refused: what is larger than the limits. Nothing here is an error for who
/// fetches: what the disk does not take is not stored and is told, what is gone or damaged is fetched again, and
/// what was used least recently goes when the quota is full. Another process may share the folder.
///
/// Nothing is synced, since a lost response costs a fetch. A file that was written before the machine started last may
/// have lost its bytes and kept its length, so the index has each body's checksum with the boot it was written in: in that
/// boot the page cache has the bytes, whoever was killed; in a later one they are compared once, before they are served.
/// To drop them instead would empty the cache with every restart of the machine, and to sync them would cost a flush of
/// the disk for each fetch.
///
/// All that blocks runs on a thread of its own, `agd-cache`. Whatever arrives within 10 ms, or while the thread is busy,
/// shares a transaction.
package actor ResponseCache: ResponseStoring {
    /// In the root.
    package static let directoryName = ".cache"
    /// Uses that are noted before they are written, at most.
    static let mostUses = 1_024

    /// What is answered from without the thread.
    struct Front {
        var recent: RecentResponses
        /// Until then nobody looks whether another process has written.
        var trustedUntil: MonotonicInstant?
        /// By id, in microseconds since 1970.
        var uses: [String: Int64] = [:]
        var lookups = 0
        var lookupsFromMemory = 0
    }

    nonisolated let purges = RecentPurges()
    let bodies: CacheBodies
    private let boot: String
    let memoryAge: Duration
    nonisolated let loop: EventLoop
    nonisolated let front: Guarded<Front>

    var limits: ResponseCacheLimits
    var index: CacheIndex?
    var unusableUntil: MonotonicInstant?
    var dataVersion: Int?
    /// Until then nothing is stored: the disk was full.
    var restsUntil: MonotonicInstant?
    var pending: [CacheIndex.Change] = []
    var isScheduled = false
    /// A timer will write what is pending.
    var isTimed = false
    /// What could not be written is tried again in a moment: one timer, however often it was tried since.
    var isRetryAhead = false
    var isClosed = false
    var transactions = 0
    var nextShard = Int.random(in: CacheBodies.shards.indices)
    var counts = ResponseCacheStatistics()
    var warnings: RateLimitedWarnings

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Nothing is made in the folder before somebody asks for something.
    ///
    /// - Parameters:
    ///   - recentKeys: URLs whose responses are known without a look into the index.
    ///   - memoryAge: for how long what another process stores or removes may go unnoticed.
    ///   - complain: told in a sentence, at most once a minute, what cannot be stored.
    /// - Throws: when the thread cannot be started.
    package init(
        root: String, limits: ResponseCacheLimits = ResponseCacheLimits(), recentKeys: Int = 4_096,
        memoryAge: Duration = .milliseconds(100),
        complain: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(SystemError) {
        bodies = CacheBodies(directory: "\(root)/\(Self.directoryName)")
        // Where the boot has no name, what another process wrote is always compared.
        let boot = try? FileSystem.contents(of: "/proc/sys/kernel/random/boot_id")
        self.boot = boot.map { String(decoding: $0.filter { $0 > 0x20 }, as: UTF8.self) } ?? UUID().uuidString
        self.limits = limits
        self.memoryAge = memoryAge
        front = Guarded(Front(recent: RecentResponses(mostKeys: recentKeys)))
        warnings = RateLimitedWarnings(complain)
        loop = try EventLoop.start(name: "agd-cache")
    }

    /// Writes what is left and ends the thread. Called once, when nobody asks any more.
    package nonisolated func shutdown() async {
        await close()
        loop.shutdown()
    }

    // MARK: ResponseStoring

    package nonisolated func responses(for key: String) async -> [StoredResponse] {
        if let list = known(key) { return list.map(\.response) }
        return await load(key).map(\.response)
    }

    package func body(of response: StoredResponse) async -> MediaFile? {
        // What memory has may have been replaced by another process since.
        let remembered = front.withLock { $0.recent.response(response.id) }
        if let remembered, let file = await open(remembered, as: response) { return file }
        flush()
        guard !isBehind, let stored = withIndex("be read", { try $0.response(response.id) }).flatMap(\.self),
            stored.body?.name != remembered?.body?.name
        else { return nil }
        return await open(stored, as: response)
    }

    package func insert(_ response: StoredResponse, body: MediaFile?) async {
        await insert(response, body: body, since: purges.mark)
    }

    /// - Parameter mark: of the request that brought the response. A response that was purged since is not stored.
    func insert(_ response: StoredResponse, body: MediaFile?, since mark: RecentPurges.Mark) async {
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
            let checksum = if let body { try await CacheBodies.checksum(of: body) } else { UInt64(0) }
            // Nothing waits from here on, so that a purge finds the response or was noted before.
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
            guard var entry = front.recent.response(response.id) else {
                return front.recent.forget(response.key)
            }
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

    // MARK: Bodies

    /// - Returns: `nil` where the bytes are gone, or are others; then they are forgotten.
    private func open(_ entry: CacheEntry, as response: StoredResponse) async -> MediaFile? {
        guard let body = entry.body, entry.response.storedBytes == response.storedBytes else { return nil }
        do throws(SystemError) {
            let file = try bodies.open(body.name)
            if try await isWhole(file, body, of: entry.response) {
                use(response.id)
                return file
            }
        } catch  where !error.isNoSuchFile {
            // Too many open files, say, is no reason to forget it.
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

    // MARK: Telling

    func refuse(_ reason: String) {
        counts.refused += 1
        warnings.report("refuse", "a response is not stored in the cache: \(reason)")
    }
}
