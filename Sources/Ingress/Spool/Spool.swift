import FoundationEssentials
import LinuxIO
import Logging
import NotificationModel

/// All that the spool does with files, on a thread of its own: watching, claiming, reading, rejecting.
///
/// It decides what is to be done next (`next`) and hears what became of it (`settle`); the waiting in between is done by
/// others, so that one submission does not hold up another. Files that are claimed and not settled are bounded, and
/// while the desk is full no more are claimed: the rest waits in `incoming`, where its budget does not run.
actor Spool {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let root: String
    /// `nil`: any folder in the root whose name can be a group's.
    let listed: Set<AppGroupName>?
    let clock: any RequestClock
    let logger: Logger
    let limits: SpoolLimits
    /// The memory for large files.
    let room: ByteLimiter
    /// Removes other data on a full disk until this number of bytes is free. Returns whether it has removed any.
    let makeRoom: @Sendable (_ byteCount: Int) async -> Bool

    /// Claimed by an earlier daemon, and known to the journal.
    var journaled: Set<SpoolFile> = []

    var watch: DirectoryWatcher?
    /// The watch of the root; `nil` while watches are short.
    var rootWatch: DirectoryWatcher.DirectoryID?
    /// The time of the root when it was read last without a watch; `nil`: it may change without another time.
    var rootSeen: Duration?
    var places: [DirectoryWatcher.DirectoryID: Place] = [:]
    var groups: [AppGroupName: GroupSpool] = [:]
    /// Those with names to look at, each once: one name of each at a turn.
    var line: [GroupSpool] = []
    /// How many of the groups may have a folder open.
    var reading = 0
    /// Groups that wait until they may open a folder.
    var waiting: [GroupSpool] = []
    /// When the folder of a group is to be read again.
    var dueScans: [AppGroupName: MonotonicInstant] = [:]
    /// Files whose names do not end in `.json`, and the time at which they are looked at, the earliest first.
    var suspects: [(file: SpoolFile, at: MonotonicInstant)] = []
    var isRootDue = true
    /// Names in the root that are still to be looked at.
    var rootNames: ArraySlice<String> = []
    var nextLook: MonotonicInstant
    /// Groups for which there is no watch, and some that have got one since.
    var scanned: [GroupSpool] = []
    /// How many of `scanned` were looked at in this round, how long that took, and when the next round begins.
    var scannedCount = 0
    var scanTime: Duration = .zero
    var nextScannedLook: MonotonicInstant
    /// How many groups have no watch.
    nonisolated let scannedGroups = Guarded(0)

    /// Claimed, and neither accepted nor rejected nor put back.
    var active: Set<SpoolFile> = []
    /// Claimed, and waiting for room at the desk.
    var held: [Claim] = []
    /// How many that were held are at the desk again.
    var retried = 0
    /// Waiting for their move into `rejected`.
    var rejections: [Rejection] = []
    /// Those for which there was no room on the disk, for one; and when they are tried again.
    var unmoved: [Rejection] = []
    var nextMove: MonotonicInstant
    /// Large files that got no lease, and when they are tried again.
    var roomless: [(file: SpoolFile, sighting: DiscoveredBy)] = []
    var nextRoom: MonotonicInstant
    var pausedUntil: MonotonicInstant?
    var isStopping = false
    private var warnings: Set<String> = []

    private var hasChanged = false
    private var waiter: CheckedContinuation<Void, Never>?

    /// A watched folder's part.
    enum Place {
        case root
        case group(AppGroupName)
        case incoming(AppGroupName)
    }

    init(
        root: String, groups: [AppGroupName]?, clock: any RequestClock, logger: Logger, limits: SpoolLimits,
        room: ByteLimiter, makeRoom: @escaping @Sendable (_ byteCount: Int) async -> Bool
    ) throws(SystemError) {
        loop = try EventLoop.start(name: "agd-spool")
        self.root = root
        listed = groups.map { Set($0).union([.default]) }
        self.clock = clock
        self.logger = logger
        self.limits = limits
        self.room = room
        self.makeRoom = makeRoom
        nextRoom = clock.now
        nextLook = clock.now.advanced(by: limits.lookAgain)
        nextMove = clock.now
        nextScannedLook = clock.now
    }

    /// Makes the folders of the groups that are known from the start, and watches them.
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

    /// From any thread: nothing more is claimed.
    nonisolated func stop() {
        loop.execute { [weak self] in
            self?.assumeIsolated { spool in
                spool.isStopping = true
                spool.changed()
            }
        }
    }

    /// The last call, when all that `next` gave out is settled.
    func close() {
        isStopping = true
        putBackHeld()
        reject(at: clock.now)
        watch?.close()
        watch = nil
    }

    // MARK: What is next

    func next() -> SpoolStep {
        hasChanged = false
        if isStopping {
            putBackHeld()
            return .end
        }
        let now = clock.now
        if let pausedUntil, now < pausedUntil { return .wait(until: pausedUntil) }
        pausedUntil = nil
        reject(at: now)
        let isLookingAround = lookAround(at: now)
        if !held.isEmpty {
            let work = held.map { SpoolWork.submit($0) }
            retried += held.count
            held = []
            return .work(work)
        }
        // Who was held goes first; whether there is room for more is not known before.
        takeUpRoomless(at: now)
        guard retried == 0, active.count < limits.inFlight, !line.isEmpty else {
            return isLookingAround ? .work([]) : .wait(until: nextChange)
        }
        return .work(claim())
    }

    /// When the next work is due if no event comes before.
    private var nextChange: MonotonicInstant {
        var next = min(nextLook, dueScans.values.min() ?? nextLook, suspects.first?.at ?? nextLook)
        if isScanning { next = min(next, nextScannedLook) }
        if !unmoved.isEmpty { next = min(next, nextMove) }
        if !roomless.isEmpty { next = min(next, nextRoom) }
        return next
    }

    /// Returns when `next` may say something else than the last time, or when the task is cancelled.
    func change() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if hasChanged || Task.isCancelled { return continuation.resume() }
                waiter = continuation
            }
        } onCancel: {
            loop.execute { [weak self] in self?.assumeIsolated { $0.changed() } }
        }
    }

    func changed() {
        hasChanged = true
        waiter?.resume()
        waiter = nil
    }

    func pause(for duration: Duration) {
        let end = clock.now.advanced(by: duration)
        pausedUntil = max(pausedUntil ?? end, end)
    }

    /// Warns of what may happen to every file again, once until the folders are looked through anew.
    func complain(_ kind: String, _ message: Logger.Message, metadata: Logger.Metadata = [:]) {
        guard warnings.count < 256, warnings.insert(kind).inserted else { return }
        logger.warning(message, metadata: metadata)
    }

    /// Finds what no event told.
    ///
    /// - Returns: whether there is more to look at.
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
