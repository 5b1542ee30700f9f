package import Base
import DequeModule
package import LinuxIO
package import Logging
package import NotificationModel
import ServiceLifecycle

/// The spool: `ROOT/GROUP/incoming`, where a program drops a payload as a file, which becomes a request.
///
/// **Input.** `*.json` files that are written and closed, or renamed or linked into the directory.
///
/// **Output.** One submission for each file, to the coordinator. A rename into `claimed/` claims the file and starts
/// its budget. The component that publishes the result removes the file.
///
///     nextClaim ─► submit ─► settle     accepted: the claim has ended
///        │                     ├──────► the coordinator is full: the same claim is submitted again, after a pause
///        │                     ├──────► the coordinator or the journal refuses: the file goes back to incoming
///        └─ decide, rename,    └──────► unusable: the file goes to rejected
///           read
///
/// **Credit.** At most `SpoolLimits.inFlight` claims are not settled, and no file is claimed while the coordinator is
/// full. The other files wait in `incoming`, where their budgets do not run. Groups take turns: a single file waits at
/// most one round for a group with a hundred thousand files.
///
/// **Refused.** An unusable file goes to `rejected/`, beside the reason. No file is deleted unread or replaced.
/// Symbolic links, directories, FIFOs and names that begin with a dot stay in place.
///
/// **Threads.** File work runs on one thread, and syncs nothing there: rejected files are moved on the thread `syncing`.
/// Tasks in the cooperative pool wait for the coordinator. Large files are parsed and submitted in the
/// `LargePayloadExecutor`.
///
/// **Cancellation.** A graceful shutdown or the cancellation of the task ends the claiming. Claims that the coordinator
/// has not accepted go back to `incoming`, and `run` returns. After `kill -9`, the next daemon submits the files in
/// `claimed/` with the time of their claims.
///
/// The coordinator must have recovered its unfinished requests before `run`, because it then recognises the files of
/// these requests.
package actor Spool: Service {
    nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// The thread that moves rejected files, because their reasons are synced.
    let syncing: EventLoop
    let root: String
    /// The groups whose files are claimed. If all are, any directory in the root with a valid name may be a group.
    var served: ServedGroups
    nonisolated let coordinator: any RequestIntake
    nonisolated let clock: any RequestClock
    nonisolated let logger: Logger
    nonisolated let limits: SpoolLimits
    nonisolated let large: LargePayloadExecutor
    let memory: ByteLimiter
    nonisolated let values: ByteLimiter
    let freeSpace: @Sendable (_ byteCount: Int) async -> Bool

    /// The files that an earlier daemon claimed and that the journal knows.
    var journaled: Set<SpoolFile> = []

    var watch: DirectoryWatcher?
    /// The watch of the root; `nil` while no watch is available.
    var rootWatch: DirectoryWatcher.DirectoryID?
    /// The time of the root at the last check without a watch; `nil` if the next change might not alter this time.
    var rootSeen: Duration?
    var places: [DirectoryWatcher.DirectoryID: Place] = [:]
    var groups: [AppGroupName: GroupSpool] = [:]
    /// The queue of groups with names to check, each group once. One name of each group is checked in turn.
    var line: Deque<GroupSpool> = []
    /// The times when the directories of groups are to be read again.
    var dueScans: [AppGroupName: MonotonicInstant] = [:]
    /// The files whose names do not end in `.json`, with the time of their check, the earliest first.
    var suspects: [(file: SpoolFile, at: MonotonicInstant)] = []
    var isRootDue = true
    /// The names in the root that are still to be checked.
    var rootNames: ArraySlice<String> = []
    private var nextLook: MonotonicInstant
    /// The groups without a watch, and some groups that have got a watch in the meantime.
    var scanned: [GroupSpool] = []
    /// The number of groups in `scanned` that this round has checked, its time so far, and the start of the next round.
    var scannedCount = 0
    var scanTime: Duration = .zero
    var nextScannedLook: MonotonicInstant
    /// The number of groups without a watch.
    nonisolated let unwatched = Guarded(0)

    /// The claimed files that are not yet accepted, rejected or moved back.
    var active: Set<SpoolFile> = []
    /// The active files that the full coordinator refused. They are submitted again before other files are claimed,
    /// because the answers show whether the coordinator has space.
    var refused: Set<SpoolFile> = []
    /// The files that wait for their move into `rejected`.
    var rejections: [Rejection] = []
    /// Large files without a lease, and claimed files that could not be read or rejected. They are checked again later.
    var deferred: [(file: SpoolFile, observed: DiscoveredBy)] = []
    /// The time of the next check of the deferred files.
    var nextDeferred: MonotonicInstant
    private var pausedUntil: MonotonicInstant
    nonisolated let stopping = AsyncEvent()
    /// The number of names that were checked since the thread did other work.
    var lookedCount = 0
    private var warnings: Set<String> = []
    /// The event that is signalled when `nextClaim` may find a claim or other work.
    private var change = AsyncEvent()

    /// The role of a watched directory.
    enum Place {
        case root
        case group(AppGroupName)
        case incoming(AppGroupName)
    }

    /// - Parameter root: The path of the root, which is created if it does not exist.
    /// - Parameter groups: The groups. If all groups are served, each directory in the root is a group if it contains a
    ///   directory `incoming` or is empty.
    /// - Parameter memory: The memory for files of more than 256 KiB. A file without a lease stays in `incoming`.
    /// - Parameter values: The memory for files with many values. A claimed file that waits too long for it goes back
    ///   to `incoming`.
    /// - Parameter thread: The thread of the file work, which other parts share; `nil` for a separate thread.
    /// - Parameter syncing: The thread of syncs, which its owner ends after the spool; `nil` for the same thread.
    /// - Parameter freeSpace: A function that removes other data on a full disk until this number of bytes is free. Its
    ///   result is whether any data was removed.
    package init(
        root: String, groups: ServedGroups = .all, coordinator: any RequestIntake, clock: any RequestClock,
        logger: Logger, limits: SpoolLimits = SpoolLimits(), large: LargePayloadExecutor = LargePayloadExecutor(),
        memory: ByteLimiter = ByteLimiter(limit: 64 << 20), values: ByteLimiter = ByteLimiter(limit: 32 << 20),
        on thread: EventLoop? = nil, syncing: EventLoop? = nil,
        freeSpace: @escaping @Sendable (_ byteCount: Int) async -> Bool = { _ in false }
    ) throws(SystemError) {
        let loop = try EventLoop.start(name: "agd-files", orShare: thread)
        self.loop = loop
        self.syncing = syncing ?? loop
        self.root = root
        served = groups
        self.coordinator = coordinator
        self.clock = clock
        self.logger = logger
        self.limits = limits
        self.large = large
        self.memory = memory
        self.values = values
        self.freeSpace = freeSpace
        let now = clock.now
        nextLook = now.advanced(by: limits.lookAgain)
        (nextScannedLook, nextDeferred, pausedUntil) = (now, now, now)
    }

    /// The number of groups without a watch, which are checked every second because no watch is available for them.
    package nonisolated var scannedGroups: Int { unwatched.withLock(\.self) }

    /// Creates the directories of the default group and of the named groups, and begins to watch. A file that is
    /// dropped after this call is not missed. The method is called once, before `run`. The files of the journaled
    /// requests, which an earlier daemon has not emitted, are not submitted from `claimed` again. All others are.
    package func prepare(journaled: [RequestKey: RequestChannel] = [:]) throws(SystemError) {
        for case (let key, .spool(let fileName)) in journaled {
            self.journaled.insert(SpoolFile(group: key.group, name: fileName))
        }
        try FileSystem.makeDirectories(root)
        let watch = try DirectoryWatcher(on: loop) { [weak self] directory, event in
            self?.assumeIsolated { $0.handle(event, of: directory) }
        }
        self.watch = watch
        try watchRoot()
        for group in served.named { try open(group, isAsked: true) }
    }

    /// Changes the groups whose files are claimed. The directories of new groups are created. The files of a group that is
    /// not served any more stay where they are.
    package nonisolated func change(_ groups: ServedGroups) {
        loop.execute { [weak self] in self?.assumeIsolated { $0.serve(groups) } }
    }

    /// Ends the use of the thread if `run` is never called.
    package nonisolated func abandon() { loop.shutdown() }

    /// Claims and submits files until a graceful shutdown, or until the task is cancelled. The caller calls `run` once,
    /// and calls no other method of the spool afterwards.
    package nonisolated func run() async {
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await submitClaims()
            } onGracefulShutdown: {
                self.stop()
            }
        } onCancel: {
            self.stop()
        }
        await close()
        loop.shutdown()
    }

    private func submitClaims() async {
        await withDiscardingTaskGroup { group in
            while let claim = await nextClaim() { group.addTask { await self.submit(claim) } }
        }
    }

    /// Stops the claiming of files. Any thread may call it.
    private nonisolated func stop() {
        stopping.signal()
        loop.execute { [weak self] in self?.assumeIsolated { $0.changed() } }
    }

    private func close() async {
        await moveRejected()
        watch?.close()
        watch = nil
    }

    // MARK: The next claim

    /// Waits until a file can be claimed, and claims it; returns `nil` if the spool has stopped.
    private func nextClaim() async -> Claim? {
        while !stopping.isSignalled {
            if lookedCount > 0, clock.now >= pausedUntil, let claim = claim() { return claim }
            // Other parts that share the thread run between two turns.
            await Task.yield()
            lookedCount = 0
            if change.isSignalled { change = AsyncEvent() }
            await moveRejected()
            let now = clock.now
            if now < pausedUntil {
                await change.wait(until: pausedUntil, on: clock)
                continue
            }
            let hasMore = lookAround(at: now)
            if let claim = claim() { return claim }
            if !hasMore, !hasCredit || line.isEmpty { await change.wait(until: nextChange, on: clock) }
        }
        return nil
    }

    /// Whether a file may be claimed now.
    var hasCredit: Bool { refused.isEmpty && active.count < limits.inFlight }

    /// The time when the next work is due if no event comes before.
    private var nextChange: MonotonicInstant {
        var next = min(nextLook, dueScans.values.min() ?? nextLook, suspects.first?.at ?? nextLook)
        if isScanning { next = min(next, nextScannedLook) }
        if !deferred.isEmpty { next = min(next, nextDeferred) }
        return next
    }

    func changed() { change.signal() }

    func pause(for duration: Duration) { pausedUntil = max(pausedUntil, clock.now.advanced(by: duration)) }

    /// Logs a warning that may apply to every file, at most once between two full scans.
    func warn(_ kind: String, _ message: Logger.Message, metadata: Logger.Metadata = [:]) {
        guard warnings.count < 256, warnings.insert(kind).inserted else { return }
        logger.warning(message, metadata: metadata)
    }

    /// Runs the periodic scans for files without an inotify event, and returns whether more is to be checked.
    private func lookAround(at now: MonotonicInstant) -> Bool {
        if now >= nextLook {
            nextLook = now.advanced(by: limits.lookAgain)
            warnings = []
            isRootDue = true
            for group in groups.values where group.hasIncoming { wantScan(of: group) }
        }
        let hasMoreNames = lookAtRoot()
        let hasMoreGroups = lookAtScanned(at: now)
        reportSuspects(at: now)
        checkDeferred(at: now)
        for (group, instant) in dueScans where instant <= now {
            dueScans[group] = nil
            guard let group = groups[group] else { continue }
            group.isFull = false
            wantScan(of: group)
        }
        return hasMoreNames || hasMoreGroups
    }
}
