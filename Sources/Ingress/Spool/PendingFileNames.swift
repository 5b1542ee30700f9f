import LinuxIO

/// The names of one group that are waiting to be looked at: of an earlier daemon's claims, told by events, and found by
/// reading the folder.
///
/// Bounded: of the folders only so many names are read as are needed soon, and what events tell past the bound is
/// found again by a reading that is then due. A name may come twice; who looks finds nothing there the second time.
struct PendingFileNames: ~Copyable {
    private static let piece = 256

    private let bound: Int
    private var reported: [(name: String, sighting: DiscoveredBy)] = []
    private var consumedCount = 0
    /// The folder of an earlier daemon's claims is still to be read.
    private var isRecoveryDue = false
    private var recovery: DirectoryScan?
    private var recovered: [String] = []
    private var scan: DirectoryScan?
    private var scanned: [String] = []
    private var isToldNext = false
    /// The folder has to be read (again).
    private(set) var isScanDue = false
    /// The folder of an earlier daemon's claims cannot be read at the moment. No name is given until `wantScan`.
    private(set) var isBlocked = false

    init(bound: Int) { self.bound = bound }

    /// Whether a folder is open. Between two names, only folders with many names are.
    var isReading: Bool { recovery != nil || scan != nil }

    var isEmpty: Bool {
        isBlocked
            || reported.count == consumedCount && recovery == nil && recovered.isEmpty && scan == nil && scanned.isEmpty
                && !isScanDue && !isRecoveryDue
    }

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

    /// The next name, if there is one. What events tell and what is found in the folder take turns.
    ///
    /// - Parameters:
    ///   - mayStart: whether a folder may be opened.
    ///   - startRecovery: opens the folder of an earlier daemon's claims.
    ///   - startScan: called when the folder has to be read; `nil` when it cannot be.
    mutating func next(
        mayStart: Bool, startRecovery: () throws(SystemError) -> DirectoryScan, startScan: () -> DirectoryScan?
    ) -> (name: String, sighting: DiscoveredBy)? {
        if isRecoveryDue {
            guard mayStart else { return nil }
            do throws(SystemError) { recovery = try startRecovery() } catch  where !error.isNoSuchFile {
                isBlocked = true
                return nil
            } catch {}
            isRecoveryDue = false
        }
        if recovery != nil || !recovered.isEmpty {
            if recovered.isEmpty {
                recovered = recovery?.next(Self.piece) ?? []
                // Fewer than asked for are the last.
                if recovered.count < Self.piece { recovery = nil }
            }
            if let name = recovered.popLast() { return (name, .recovered) }
        }
        isToldNext.toggle()
        if isToldNext, let name = nextTold() { return name }
        return nextScanned(mayStart, startScan) ?? nextTold()
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
        _ mayStart: Bool, _ startScan: () -> DirectoryScan?
    ) -> (name: String, sighting: DiscoveredBy)? {
        if scanned.isEmpty, scan == nil, isScanDue, mayStart {
            isScanDue = false
            scan = startScan()
        }
        if scanned.isEmpty, scan != nil {
            scanned = scan?.next(Self.piece) ?? []
            if scanned.count < Self.piece { scan = nil }
        }
        guard let name = scanned.popLast() else { return nil }
        // An empty array without room is smaller, and there is one for each group.
        if scanned.isEmpty { scanned = [] }
        return (name, .scan)
    }
}
