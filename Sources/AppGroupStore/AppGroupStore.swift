package import FoundationEssentials
package import LinuxIO
package import NotificationModel

/// The shared container: `ROOT/GROUP/media/ab/abcdef….jpg` and the index beside it.
///
/// In come renditions, as nameless files; out go stored assets, whose bytes and names are on the disk before anybody
/// hears of them. A medium is kept once, under the SHA-256 of its bytes and with the extension of its type, whoever
/// asks for it, for as long as somebody needs it, and then as long as the limits allow. What is refused: a group name
/// that is none, and a disk that cannot keep its word (`storage-failed`).
///
/// All durable work runs on the disk's own thread, one thing after the other; nameless files are made on the caller's,
/// so that a download need not wait for somebody's fsync. A request whose deadline passes does not wait for the disk.
package actor AppGroupStore: MediaStoring {
    /// A file is kept until the deadline of who stored it, and for so long after it: whoever reads the result opens it.
    static let grace: TimeInterval = 60
    /// Most open indexes of maintenance, in addition to those of requests.
    package static let maintenanceIndexes = OpenIndexes.spare
    /// A disk with fewer free bytes is full for downloads.
    private static let leastForDownloads = 16 << 20
    /// Nobody holds a file for longer: a date in a payload must not fill the disk for ever.
    static let longestHold: TimeInterval = 30 * 86_400

    let root: String
    var warnings: RateLimitedWarnings
    private var stored: (@Sendable (Int) -> Void)?
    let makeRoom: @Sendable (_ byteCount: Int) async -> Bool
    /// The wall clock.
    nonisolated let now: @Sendable () -> Date
    nonisolated let pins = Guarded(PinDirectory())
    /// Bytes that are pinned in all groups, as far as is known.
    var pinSum: (bytes: Int, countedAt: MonotonicInstant)?
    /// The count of pinned bytes that runs.
    var pinCount: PinCount?
    /// How often pins were removed. A count that began before is not kept.
    var pinGeneration = 0
    /// Most bytes that are pinned.
    nonisolated let pinQuota = Guarded(ContainerLimits().quota)
    nonisolated let purges = RecentPurges()
    /// The files that no purge would find by their references yet.
    var recentFiles = RecentFiles()
    private nonisolated let disk: EventLoop
    private nonisolated let scratch: ScratchDirectory
    var open: OpenIndexes
    /// Maintenance that waits until it may hold the index of a group.
    var holdWaiters: [(group: AppGroupName, waiter: CheckedContinuation<Void, Never>)] = []
    nonisolated let openings = Guarded(IndexOpenings())
    /// The usage of each group when its index was last read for eviction.
    var usages: [AppGroupName: GroupUsage] = [:]
    /// Groups whose index was replaced: it does not know all files yet.
    var unreconciled: Set<AppGroupName> = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor { disk.asUnownedSerialExecutor() }

    /// Opens a root folder, making it where it does not exist.
    ///
    /// - Parameters:
    ///   - openIndexes: most indexes of groups that are open at a time, with three descriptors each. Maintenance may open
    ///     four more.
    ///   - complain: told in a sentence, at most once a minute, what cannot be looked after.
    ///   - makeRoom: removes other data on a full disk until this number of bytes is free, and returns whether it has
    ///     removed any.
    ///   - now: the wall clock, by which pins end.
    /// - Throws: when the folder cannot be made or written to.
    package init(
        root: String, openIndexes: Int = 4, complain: @escaping @Sendable (String) -> Void = { _ in },
        makeRoom: @escaping @Sendable (_ byteCount: Int) async -> Bool = { _ in false },
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(SystemError) {
        try FileSystem.makeDirectories(root, durably: true)
        _ = try AnonymousFile.create(in: root)
        self.root = root
        self.makeRoom = makeRoom
        self.now = now
        warnings = RateLimitedWarnings(complain)
        scratch = ScratchDirectory(root: root)
        open = OpenIndexes(limit: openIndexes)
        disk = try EventLoop.start(name: "agd-disk")
    }

    /// Ends the thread. Called once, when no request is left.
    package nonisolated func shutdown() async {
        await closeIndexes()
        disk.shutdown()
    }

    /// How many indexes are open, and were opened since the start.
    package nonisolated var indexOpenings: IndexOpenings { openings.withLock { $0 } }

    // MARK: MediaStoring

    package nonisolated func scratchFile(
        for use: ScratchUse, in group: AppGroupName
    ) throws(MediaFailure) -> MediaFile {
        try use == .picture ? scratch.memoryFile() : scratch.file(in: group)
    }

    package func makeRoomForDownload() async -> Bool {
        guard let free = try? FileSystemInfo.of(root).freeBytes, free < UInt64(Self.leastForDownloads) else {
            return false
        }
        return await makeRoom(Self.leastForDownloads)
    }

    package func store(
        _ renditions: [Rendition], in group: AppGroupName, until date: Date, from origin: MediaOrigin = MediaOrigin()
    ) async throws(MediaFailure) -> [StoredAsset] {
        do {
            let assets = try await DiskRoom.withRoom(from: makeRoom) {
                try checkPurges(of: origin)
                return try keep(renditions, in: group, until: date)
            }
            recentFiles.add(assets, in: group, from: origin)
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

    package func kept(_ key: PrefetchKey, in group: AppGroupName, until date: Date) async -> StoredRenditions? {
        await kept(in: group, until: date) { try $0.kept(key) }
    }

    /// Held first, then looked for: what is there from then on stays.
    private func kept(
        in group: AppGroupName, until date: Date, _ find: (ContainerIndex) throws -> StoredRenditions?
    ) async -> StoredRenditions? {
        // Where nothing has been stored, asking leaves nothing behind.
        guard open.contains(group) || FileSystem.size(of: "\(root)/\(group)/index.sqlite") != nil else { return nil }
        do {
            return try withIndex(of: group) { index in
                guard let kept = try find(index) else { return nil }
                return try lease(kept.assets, by: index, in: group, until: date) ? kept : nil
            }
        } catch {
            warnings.report("kept", "the index of \(group) cannot be read: \(error)")
            return nil
        }
    }

    package func renditions(_ key: RenditionKey, in group: AppGroupName, until date: Date) async -> StoredRenditions? {
        guard let kept = await kept(in: group, until: date, { try $0.renditions(key) }),
            let container = try? AppGroupContainer(root: root, group: group), kept.assets.allSatisfy(container.isWhole)
        else { return nil }
        return kept
    }

    package func remember(_ media: StoredRenditions, as key: RenditionKey, in group: AppGroupName) async {
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
        try index.lease(assets, until: Self.endOfHold(until: date))
        return areThere(assets, in: group)
    }

    func areThere(_ assets: [StoredAsset], in group: AppGroupName) -> Bool {
        assets.allSatisfy { FileSystem.size(of: "\(root)/\(group)/\($0.path)") == $0.info.byteCount }
    }

    /// When a file may go that is not to be removed before a date.
    private static func endOfHold(until date: Date) -> Date {
        min(date.addingTimeInterval(grace), Date().addingTimeInterval(longestHold))
    }

    /// A file that the index does not know is safe from eviction until the next start finds it.
    private func lease(_ asset: StoredAsset, in group: AppGroupName, until date: Date) {
        do { try withIndex(of: group) { try $0.lease([asset], until: date) } } catch {
            warnings.report("hold", "files cannot be written to the index of \(group): \(error)")
        }
    }

    /// The files are safe without the index, so an index that fails takes no attachment away: it is told afterwards.
    package func record(_ message: MessageRecord, in group: AppGroupName) async throws(MediaFailure) {
        do {
            try await DiskRoom.withRoom(from: makeRoom) {
                let message = withoutPurgedFiles(message, in: group)
                try withIndex(of: group) { try $0.insert(message) }
            }
        } catch {
            throw MediaFailure(.storageFailed, "the message cannot be written to the index: \(error)")
        }
    }

    /// - Parameter stored: told how many bytes were stored, each time.
    func tellStored(_ stored: @escaping @Sendable (Int) -> Void) { self.stored = stored }
}
