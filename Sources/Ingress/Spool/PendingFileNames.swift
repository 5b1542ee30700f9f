import LinuxIO

/// The names of one group that are waiting to be looked at: of an earlier daemon's claims, told by events, and found by
/// reading the folder.
///
/// Bounded: of the folders only so many names are read as are needed soon, and what events tell past the bound is
/// found again by a reading that is then due. A name may come twice; who looks finds nothing there the second time.
struct PendingFileNames: ~Copyable {
    private static let piece = 256
    /// Names of `incoming` after which a scan ends early if other groups wait. The number doubles while most names stay in
    /// `incoming`, so that the next scan comes to the names after them.
    private static let leastOfScan = 1_024
    private static let mostOfScan = 16_384

    private let bound: Int
    private var reported: [(name: String, sighting: DiscoveredBy)] = []
    private var consumedCount = 0
    /// The folder of an earlier daemon's claims is still to be read.
    private var isRecoveryDue = false
    private var recovery: DirectoryScan?
    private var recovered: [String] = []
    private var scan: DirectoryScan?
    private var scanned: [String] = []
    /// Names that the scan has given, how many of them were taken, and after how many it ends early.
    private var scannedCount = 0
    private var takenCount = 0
    private var scanBound = leastOfScan
    private var isToldNext = false
    /// The folder has to be read (again).
    private(set) var isScanDue = false
    /// The folder of an earlier daemon's claims cannot be read at the moment. No name is given until `wantScan`.
    private(set) var isBlocked = false
    /// Why the last call of `next` could not open a folder. A scan is then due after a pause.
    private(set) var failure: SystemError?
    /// Whether the last call of `next` ended a scan early. The next scan begins when the folder may be opened again.
    private(set) var hasYielded = false

    init(bound: Int) { self.bound = bound }

    /// Whether a folder is open. Between two names, only folders with many names are.
    var isReading: Bool { recovery != nil || scan != nil }

    /// Whether there may be names that no folder has to be open for.
    var hasNames: Bool {
        !isBlocked && !isRecoveryDue && (reported.count > consumedCount || !recovered.isEmpty || !scanned.isEmpty)
    }

    /// Whether a folder is open or has to be opened.
    var needsFolder: Bool { !isBlocked && (isReading || isRecoveryDue || isScanDue) }

    var isEmpty: Bool { !hasNames && !needsFolder }

    /// An event told of a name.
    mutating func add(_ name: String, _ sighting: DiscoveredBy) {
        guard reported.count - consumedCount < bound else {
            isScanDue = true
            return
        }
        reported.append((name, sighting))
    }

    /// Files of an earlier daemon go before all others: their time is running.
    mutating func wantRecovery() { isRecoveryDue = true }

    /// One that could not be read for the moment.
    mutating func recoverAgain(_ name: String) { recovered.append(name) }

    mutating func wantScan() {
        isScanDue = true
        isBlocked = false
    }

    /// Notes that a name which a scan gave is no longer in `incoming`.
    mutating func noteTaken() { takenCount += 1 }

    /// The next name, if there is one. What events tell and what is found in the folder take turns.
    ///
    /// - Parameters:
    ///   - mayStart: whether a folder may be opened.
    ///   - othersWait: whether a scan ends early, so that another group's folder may be opened.
    ///   - startRecovery: opens the folder of an earlier daemon's claims.
    ///   - startScan: opens `incoming`.
    mutating func next(
        mayStart: Bool, othersWait: Bool = false, startRecovery: () throws(SystemError) -> DirectoryScan,
        startScan: () throws(SystemError) -> DirectoryScan
    ) -> (name: String, sighting: DiscoveredBy)? {
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
                // A scan gives fewer names than it was asked for only at its end.
                if recovered.count < Self.piece { recovery = nil }
            }
            if let name = recovered.popLast() { return (name, .recovered) }
        }
        isToldNext.toggle()
        if isToldNext, let name = nextTold() { return name }
        return nextScanned(mayStart, othersWait, startScan) ?? nextTold()
    }

    private mutating func nextTold() -> (name: String, sighting: DiscoveredBy)? {
        guard consumedCount < reported.count else { return nil }
        defer {
            consumedCount += 1
            // What is passed leaves in large pieces, each name once.
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
    ) -> (name: String, sighting: DiscoveredBy)? {
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
        // An empty array without room is smaller, and there is one for each group.
        if scanned.isEmpty { scanned = [] }
        return (name, .scan)
    }
}
