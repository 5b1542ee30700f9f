import LinuxIO

/// The queue of a group's names that are to be checked. The names come from the claims of an earlier daemon, from
/// events, and from scans of the directory.
///
/// The queue is bounded. A scan reads only the names that are needed soon, and a later scan finds names of events
/// beyond the bound. A name may occur twice. The second check then finds no file.
struct PendingFileNames: ~Copyable {
    private static let piece = 256
    /// The number of names of `incoming` after which a scan ends early if other groups wait. The number doubles while
    /// most names stay in `incoming`, so that the next scan reaches the names after them.
    private static let leastOfScan = 1_024
    private static let mostOfScan = 16_384

    private let bound: Int
    private var reported: [(name: String, observed: DiscoveredBy)] = []
    private var consumedCount = 0
    /// Whether the directory of an earlier daemon's claims is still to be read.
    private var isRecoveryDue = false
    private var recovery: DirectoryScan?
    private var recovered: [String] = []
    private var scan: DirectoryScan?
    private var scanned: [String] = []
    /// The counters of the scan: the names that it returned, the names that were claimed, and the bound at which it
    /// ends early.
    private var scannedCount = 0
    private var takenCount = 0
    private var scanBound = leastOfScan
    private var isReportedNext = false
    /// Whether the directory has to be read again.
    private(set) var isScanDue = false
    /// Whether the directory of an earlier daemon's claims cannot be read at the moment. No name is returned until
    /// `wantScan` is called.
    private(set) var isBlocked = false
    /// The error of the last call of `next` if the call could not open a directory. A scan is then due after a pause.
    private(set) var failure: SystemError?
    /// Whether the last call of `next` ended a scan early. The next scan begins when the directory may be opened again.
    private(set) var hasYielded = false

    init(bound: Int) { self.bound = bound }

    /// Whether a directory is open. Between two calls, only large directories stay open.
    var isReading: Bool { recovery != nil || scan != nil }

    /// Whether names may be available without an open directory.
    var hasNames: Bool {
        !isBlocked && !isRecoveryDue && (reported.count > consumedCount || !recovered.isEmpty || !scanned.isEmpty)
    }

    /// Whether a directory is open or has to be opened.
    var needsFolder: Bool { !isBlocked && (isReading || isRecoveryDue || isScanDue) }

    var isEmpty: Bool { !hasNames && !needsFolder }

    /// Adds a name that an event reported.
    mutating func add(_ name: String, _ observed: DiscoveredBy) {
        guard reported.count - consumedCount < bound else {
            isScanDue = true
            return
        }
        reported.append((name, observed))
    }

    /// Requests the claims of an earlier daemon. These claims take precedence over all other files, because their
    /// budgets are running.
    mutating func wantRecovery() { isRecoveryDue = true }

    /// Adds a claim of an earlier daemon that could not be read at the moment.
    mutating func recoverAgain(_ name: String) { recovered.append(name) }

    mutating func wantScan() {
        isScanDue = true
        isBlocked = false
    }

    /// Records that a name from a scan is no longer in `incoming`.
    mutating func noteTaken() { takenCount += 1 }

    /// Returns the next name; `nil` if no name is available now. Names of events alternate with names of the scan.
    ///
    /// - Parameter mayStart: Whether a directory may be opened.
    /// - Parameter othersWait: Whether a scan ends early, so that another group's directory may be opened.
    /// - Parameter startRecovery: A function that opens the directory of an earlier daemon's claims.
    /// - Parameter startScan: A function that opens `incoming`.
    mutating func next(
        mayStart: Bool, othersWait: Bool = false, startRecovery: () throws(SystemError) -> DirectoryScan,
        startScan: () throws(SystemError) -> DirectoryScan
    ) -> (name: String, observed: DiscoveredBy)? {
        (failure, hasYielded) = (nil, false)
        if isRecoveryDue {
            guard mayStart else { return nil }
            do throws(SystemError) { recovery = try startRecovery() } catch {
                guard error.isNoSuchFile else {
                    (isBlocked, failure) = (true, error)
                    return nil
                }
            }
            isRecoveryDue = false
        }
        if recovery != nil || !recovered.isEmpty {
            if recovered.isEmpty {
                recovered = recovery?.next(Self.piece) ?? []
                // A scan returns fewer names than requested only at its end.
                if recovered.count < Self.piece { recovery = nil }
            }
            if let name = recovered.popLast() { return (name, .recovered) }
        }
        isReportedNext.toggle()
        if isReportedNext, let name = nextReported() { return name }
        return nextScanned(mayStart, othersWait, startScan) ?? nextReported()
    }

    private mutating func nextReported() -> (name: String, observed: DiscoveredBy)? {
        guard consumedCount < reported.count else { return nil }
        defer {
            consumedCount += 1
            // Consumed names are removed in large batches, so that each name is moved at most once.
            if consumedCount == reported.count {
                (reported, consumedCount) = ([], 0)
            } else if consumedCount >= 1_024 {
                reported.removeFirst(consumedCount)
                consumedCount = 0
            }
        }
        return reported[consumedCount]
    }

    private mutating func nextScanned(
        _ mayStart: Bool, _ othersWait: Bool, _ startScan: () throws(SystemError) -> DirectoryScan
    ) -> (name: String, observed: DiscoveredBy)? {
        if scanned.isEmpty, scan != nil, othersWait, scannedCount >= scanBound {
            scan = nil
            (isScanDue, hasYielded) = (true, true)
            if takenCount < scannedCount / 2 { scanBound = min(scanBound * 2, Self.mostOfScan) }
            return nil
        }
        if scanned.isEmpty, scan == nil, isScanDue, mayStart {
            isScanDue = false
            (scannedCount, takenCount) = (0, 0)
            do throws(SystemError) { scan = try startScan() } catch {
                if !error.isNoSuchFile { failure = error }
            }
        }
        if scanned.isEmpty, scan != nil {
            scanned = scan?.next(Self.piece) ?? []
            if scanned.count < Self.piece {
                scan = nil
                scanBound = Self.leastOfScan
            }
        }
        guard let name = scanned.popLast() else { return nil }
        scannedCount += 1
        // An empty array without capacity takes less memory, and each group has such an array.
        if scanned.isEmpty { scanned = [] }
        return (name, .scan)
    }
}
