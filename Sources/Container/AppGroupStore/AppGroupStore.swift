import Base
package import FoundationEssentials
package import LinuxIO
package import NotificationModel
import SQLiteFiles

/// The shared container: `ROOT/GROUP/media/ab/abcdef….jpg`, and the index of each group at `ROOT/GROUP/index.sqlite`.
///
/// **Input.** The store gets renditions in nameless files, each with the group and the date until which it is needed.
///
/// **Output.** The store returns stored assets. Their bytes and names are durable on the disk before the store returns
/// them. The container keeps each media file of a group once, under the SHA-256 of its bytes and the extension of its
/// type. A file is kept until its lease ends, and after the lease as long as the limits allow.
///
/// **Refused.** The store throws `storage-failed` if the disk cannot store a file. It also refuses a media item that
/// was purged while it was fetched.
///
/// **Thread.** All durable work runs one job at a time on one thread. Nameless files are created on the
/// thread of the caller, so a download does not wait for the fsync of another request.
///
/// **Cancellation.** The store cancels no started job. A request whose deadline passes stops waiting in the pipeline.
/// The daemon calls `shutdown()` when no request is left.
///
/// To add a new migration of the index, do this: write its function in an extension of ``ContainerIndex``, and add it
/// at the end of the list in `migrator`. `IndexVersionTests` then also migrates an index of the version before, with
/// the `rows` that the test has for it. Describe the columns in `docs/reference/store-format.md`; a test fails until a
/// new table is in `erasedPlaces` of the store or in `ErasurePlaces`.
package actor AppGroupStore: MediaStoring {
    /// The time in seconds for which a file stays leased after the deadline of its request. The reader of the result
    /// opens the file in this time.
    static let grace: TimeInterval = 60
    /// The maximum number of open indexes of maintenance, in addition to the indexes of requests.
    package static let maintenanceIndexes = OpenIndexes.spare
    /// The number of free bytes below which a disk is full for downloads.
    private static let minForDownloads = 16 << 20
    /// The longest lease, in seconds: 30 days. A date in a payload must not keep files on the disk without a limit.
    static let maxHold: TimeInterval = 30 * 86_400
    /// The time in seconds by which a lease of stored files is longer than requested. Requests that use the same files
    /// in this time write no lease. With the batches of messages, this reduces the processor time of a cached image
    /// from 0.42 to 0.30 ms (`daemon-bench`).
    private static let leaseMargin: TimeInterval = 60

    let root: String
    var warnings: RateLimitedWarnings
    var earlyReceipts = EarlyReceipts()
    private var stored: (@Sendable (Int) -> Void)?
    let freeSpace: @Sendable (_ byteCount: Int) async -> Bool
    nonisolated let now: @Sendable () -> Date
    nonisolated let pins = Guarded(PinDirectory())
    /// The last count of the pinned bytes of all groups with its time, increased by later pins; `nil` if the pins must
    /// be counted again.
    var pinSum: (bytes: Int, countedAt: MonotonicInstant)?
    /// The running count of pinned bytes; `nil` if no count runs.
    var pinCount: PinCount?
    /// The number of times that pins were removed. The result of a count that started before the last removal is not
    /// cached.
    var pinGeneration = 0
    /// The maximum number of pinned bytes in all groups.
    nonisolated let pinQuota = Guarded(ContainerLimits().quota)
    package nonisolated let purges = RecentPurges()
    /// The files that a purge cannot find by their references yet.
    var recentFiles = RecentFiles()
    /// The thread of files that are synced before they are used. Other parts may share it.
    package nonisolated let disk: EventLoop
    private nonisolated let scratch: ScratchDirectory
    var open: OpenIndexes
    /// The maintenance runs that wait until they may hold the index of a group.
    var holdWaiters: [(group: AppGroupName, waiter: Waiter<Void>)] = []
    nonisolated let openings = Guarded(IndexOpenings())
    /// The usage of each group when its index was last read for eviction.
    var usages: [AppGroupName: GroupUsage] = [:]
    /// The messages that wait for the next transaction.
    var unrecorded: [UnrecordedMessage] = []
    /// The groups whose index was replaced and does not list all files yet.
    var unreconciled: Set<AppGroupName> = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor { disk.asUnownedSerialExecutor() }

    /// Opens a root directory, and creates it if it does not exist.
    ///
    /// - Parameter openIndexes: The maximum number of indexes that are open at a time, with three descriptors each.
    ///   Maintenance may open four more.
    /// - Parameter warn: A closure that receives a sentence about a failure of maintenance, at most once a minute for
    ///   each kind.
    /// - Parameter freeSpace: A closure that removes other data on a full disk until this number of bytes is free. It
    ///   returns whether it has removed any data.
    /// - Parameter now: The wall clock that decides when pins end.
    /// - Throws: The error of the system if the directory cannot be created or written to.
    package init(
        root: String, openIndexes: Int = 4, warn: @escaping @Sendable (String) -> Void = { _ in },
        freeSpace: @escaping @Sendable (_ byteCount: Int) async -> Bool = { _ in false },
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(SystemError) {
        try FileSystem.makeDirectories(root, durably: true)
        _ = try AnonymousFile.create(in: root)
        self.root = root
        self.freeSpace = freeSpace
        self.now = now
        warnings = RateLimitedWarnings(warn)
        scratch = ScratchDirectory(root: root)
        open = OpenIndexes(limit: openIndexes)
        disk = try EventLoop.start(name: "agd-disk")
    }

    /// Closes the indexes and ends the thread. The daemon calls this function once, when no request is left.
    package nonisolated func shutdown() async {
        await closeIndexes()
        disk.shutdown()
    }

    /// The number of open indexes, and the number of openings since the start.
    package nonisolated var indexOpenings: IndexOpenings { openings.withLock { $0 } }

    // MARK: Conformance to MediaStoring

    package nonisolated func scratchFile(
        for use: ScratchUse, in group: AppGroupName
    ) throws(MediaFailure) -> MediaFile {
        try use == .image ? scratch.memoryFile() : scratch.file(in: group)
    }

    package func freeSpaceForDownload() async -> Bool {
        guard let free = try? FileSystemInfo.of(root).freeBytes, free < UInt64(Self.minForDownloads) else {
            return false
        }
        return await freeSpace(Self.minForDownloads)
    }

    package func store(
        _ made: RenditionSet, of source: FetchedMedia, by recipe: RenditionRecipe, in group: AppGroupName,
        until date: Date
    ) async throws(MediaFailure) -> StoredRenditions {
        let assets = try await store(made.renditions, in: group, until: date, from: source.provenance)
        let stored = StoredRenditions(made, as: assets, of: source)
        if stored.reduction == nil, source.isStored {
            remember(stored, as: RenditionKey(identity: source.identity, recipe: recipe), in: group)
        }
        return stored
    }

    /// Stores files without a record of their source.
    package func store(
        _ renditions: [Rendition], in group: AppGroupName, until date: Date,
        from provenance: MediaProvenance = MediaProvenance()
    ) async throws(MediaFailure) -> [StoredAsset] {
        do {
            let assets = try await DiskSpace.withFreeSpace(from: freeSpace) {
                try checkPurges(of: provenance)
                // Without a row, no other request would find the files, and no eviction would remove them.
                if !open.contains(group) {
                    do { try withIndex(of: group) { _ in } } catch let error as NewerIndex {
                        throw MediaFailure(.storageFailed, "\(root)/\(group)/index.sqlite: \(error)")
                    } catch {}
                }
                return try keep(renditions, in: group, until: date)
            }
            recentFiles.add(assets, in: group, from: provenance)
            stored?(renditions.reduce(0) { $0 + $1.info.byteCount })
            return assets
        } catch let error as MediaFailure {
            throw error
        } catch {
            throw MediaFailure(.storageFailed, "the file cannot be stored in the container: \(error)")
        }
    }

    private func keep(
        _ renditions: [Rendition], in group: AppGroupName, until date: Date
    ) throws(SystemError) -> [StoredAsset] {
        let container = try AppGroupContainer(root: root, group: group)
        let end = Self.endOfHold(until: date)
        var assets: [StoredAsset] = []
        for rendition in renditions {
            assets.append(try container.keep(rendition) { asset in lease(asset, in: group, until: end) })
        }
        return assets
    }

    package func remember(_ media: StoredRenditions, as key: RenditionKey, in group: AppGroupName) {
        guard areThere(media.assets, in: group) else { return }
        do { try withIndex(of: group) { try $0.remember(media, as: key) } } catch {
            warnings.report("hold", "files cannot be written to the index of \(group): \(error)")
        }
    }

    package func lease(_ assets: [StoredAsset], in group: AppGroupName, until date: Date) async -> Bool {
        do {
            return try withIndex(of: group) { try lease(assets, by: $0, in: group, until: date) }
        } catch {
            warnings.report("hold", "files in the index of \(group) cannot be leased: \(error)")
            return false
        }
    }

    func lease(
        _ assets: [StoredAsset], by index: ContainerIndex, in group: AppGroupName, until date: Date
    ) throws -> Bool {
        if try !index.areLeased(assets, until: Self.endOfHold(until: date)) {
            try index.lease(assets, until: Self.endOfHold(until: date.addingTimeInterval(Self.leaseMargin)))
        }
        return areThere(assets, in: group)
    }

    func areThere(_ assets: [StoredAsset], in group: AppGroupName) -> Bool {
        assets.allSatisfy { FileSystem.size(of: "\(root)/\(group)/\($0.path)") == $0.info.byteCount }
    }

    /// Returns the end of the lease of a file that must be kept until a date, at most 30 days from now.
    static func endOfHold(until date: Date) -> Date {
        min(date.addingTimeInterval(grace), Date().addingTimeInterval(maxHold))
    }

    /// Leases a file. If the index fails, the file has no row, and eviction ignores it until the next start finds it.
    private func lease(_ asset: StoredAsset, in group: AppGroupName, until date: Date) {
        do { try withIndex(of: group) { try $0.lease([asset], until: date) } } catch {
            warnings.report("hold", "files cannot be written to the index of \(group): \(error)")
        }
    }

    /// Sets the function that receives the number of stored bytes after each call of `store`.
    func tellStored(_ stored: @escaping @Sendable (Int) -> Void) { self.stored = stored }
}
