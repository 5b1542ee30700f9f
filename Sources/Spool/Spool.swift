import FoundationEssentials
import LinuxIO
import Logging
import NotificationModel
import Primitives

/// The file work of the spool, on a separate thread: watching, claiming, reading and rejecting.
///
/// `next` returns the next step, and `settle` receives its result. Tasks of `SpoolWatcher` wait in between, so that one
/// submission does not delay another. The number of claimed and unsettled files is bounded. While the coordinator is
/// full, no files are claimed. The files then wait in `incoming`, where their budgets do not run.
actor Spool {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let root: String
    /// The groups of the configuration. If `nil`, any directory in the root whose name is a valid group name may be a
    /// group.
    let listed: Set<AppGroupName>?
    let clock: any RequestClock
    let logger: Logger
    let limits: SpoolLimits
    /// The memory for large files.
    let memory: ByteLimiter
    /// The function that removes other data on a full disk until this number of bytes is free. Its result is whether
    /// any data was removed.
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
    var line: [GroupSpool] = []
    /// The number of groups that may have a directory open.
    var reading = 0
    /// The groups that wait until they may open a directory.
    var waiting: [GroupSpool] = []
    /// The times when the directories of groups are to be read again.
    var dueScans: [AppGroupName: MonotonicInstant] = [:]
    /// The files whose names do not end in `.json`, with the time of their check, the earliest first.
    var suspects: [(file: SpoolFile, at: MonotonicInstant)] = []
    var isRootDue = true
    /// The names in the root that are still to be checked.
    var rootNames: ArraySlice<String> = []
    var nextLook: MonotonicInstant
    /// The groups without a watch, and some groups that have got a watch in the meantime.
    var scanned: [GroupSpool] = []
    /// The state of the current round: the number of checked groups in `scanned`, the time that it took, and the start
    /// of the next round.
    var scannedCount = 0
    var scanTime: Duration = .zero
    var nextScannedLook: MonotonicInstant
    /// The number of groups without a watch.
    nonisolated let scannedGroups = Guarded(0)

    /// The claimed files that are not yet accepted, rejected or moved back.
    var active: Set<SpoolFile> = []
    /// The claims that wait until the coordinator has space.
    var postponed: [Claim] = []
    /// The number of postponed claims that are submitted again.
    var retried = 0
    /// The files that wait for their move into `rejected`.
    var rejections: [Rejection] = []
    /// The rejected files that could not be moved, for example on a full disk, and the time of the next try.
    var unmoved: [Rejection] = []
    var nextMove: MonotonicInstant
    /// The large files that got no lease, and the time of the next try.
    var waitingForMemory: [(file: SpoolFile, observed: DiscoveredBy)] = []
    var nextMemoryCheck: MonotonicInstant
    var pausedUntil: MonotonicInstant?
    var isStopping = false
    private var warnings: Set<String> = []

    /// The event that is signalled when `next` may return another step than at its last call.
    private var change = AsyncEvent()

    /// The role of a watched directory.
    enum Place {
        case root
        case group(AppGroupName)
        case incoming(AppGroupName)
    }

    init(
        root: String, groups: [AppGroupName]?, clock: any RequestClock, logger: Logger, limits: SpoolLimits,
        memory: ByteLimiter, freeSpace: @escaping @Sendable (_ byteCount: Int) async -> Bool
    ) throws(SystemError) {
        loop = try EventLoop.start(name: "agd-spool")
        self.root = root
        listed = groups.map { Set($0).union([.default]) }
        self.clock = clock
        self.logger = logger
        self.limits = limits
        self.memory = memory
        self.freeSpace = freeSpace
        nextMemoryCheck = clock.now
        nextLook = clock.now.advanced(by: limits.lookAgain)
        nextMove = clock.now
        nextScannedLook = clock.now
    }

    /// Creates the directories of the groups that are known from the start, and watches them.
    func prepare(journaled: Set<SpoolFile>) throws(SystemError) {
        self.journaled = journaled
        try FileSystem.makeDirectories(root)
        let watch = try DirectoryWatcher(on: loop) { [weak self] directory, event in
            self?.assumeIsolated { $0.handle(event, of: directory) }
        }
        self.watch = watch
        try watchRoot()
        for group in listed ?? [.default] { try open(group, isAsked: true) }
    }

    /// Stops the claiming of files. Any thread may call it.
    nonisolated func stop() {
        loop.execute { [weak self] in
            self?.assumeIsolated { spool in
                spool.isStopping = true
                spool.changed()
            }
        }
    }

    /// Closes the spool. The caller calls no other method afterwards, and has settled all steps of `next` before.
    func close() {
        isStopping = true
        putBackPostponed()
        reject(at: clock.now)
        watch?.close()
        watch = nil
    }

    // MARK: The next step

    func next() -> SpoolStep {
        if change.isSignalled { change = AsyncEvent() }
        if isStopping {
            putBackPostponed()
            return .end
        }
        let now = clock.now
        if let pausedUntil, now < pausedUntil { return .wait(until: pausedUntil) }
        pausedUntil = nil
        reject(at: now)
        let isLookingAround = lookAround(at: now)
        if !postponed.isEmpty {
            let work = postponed.map { SpoolWork.submit($0) }
            retried += postponed.count
            postponed = []
            return .work(work)
        }
        // Postponed claims are submitted before new claims, because their answers show whether the coordinator has
        // space for more.
        takeUpWaitingForMemory(at: now)
        guard retried == 0, active.count < limits.inFlight, !line.isEmpty else {
            return isLookingAround ? .work([]) : .wait(until: nextChange)
        }
        return .work(claim())
    }

    /// The time when the next work is due if no event comes before.
    private var nextChange: MonotonicInstant {
        var next = min(nextLook, dueScans.values.min() ?? nextLook, suspects.first?.at ?? nextLook)
        if isScanning { next = min(next, nextScannedLook) }
        if !unmoved.isEmpty { next = min(next, nextMove) }
        if !waitingForMemory.isEmpty { next = min(next, nextMemoryCheck) }
        return next
    }

    /// Waits until `next` may return another step than before, until the instant, or until the task is cancelled.
    func waitForChange(until instant: MonotonicInstant) async { await change.wait(until: instant, on: clock) }

    func changed() { change.signal() }

    func pause(for duration: Duration) {
        let end = clock.now.advanced(by: duration)
        pausedUntil = max(pausedUntil ?? end, end)
    }

    /// Logs a warning that may apply to every file, at most once between two full scans.
    func warn(_ kind: String, _ message: Logger.Message, metadata: Logger.Metadata = [:]) {
        guard warnings.count < 256, warnings.insert(kind).inserted else { return }
        logger.warning(message, metadata: metadata)
    }

    /// Runs the periodic scans that find files for which inotify reported no event.
    ///
    /// - Returns: Whether more names or groups are to be checked.
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
        for (group, instant) in dueScans where instant <= now {
            dueScans[group] = nil
            if let group = groups[group] { wantScan(of: group) }
        }
        return hasMoreNames || hasMoreGroups
    }
}
