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
    private var recovery: DirectoryScan?
    private var recovered: [String] = []
    private var scan: DirectoryScan?
    private var scanned: [String] = []
    private var isToldNext = false
    /// The folder has to be read (again).
    private(set) var isScanDue = false

    init(bound: Int) { self.bound = bound }

    var isEmpty: Bool {
        reported.count == consumedCount && recovery == nil && recovered.isEmpty && scan == nil && scanned.isEmpty
            && !isScanDue
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
    mutating func recover(_ scan: consuming DirectoryScan) { recovery = consume scan }

    /// One that could not be read for the moment.
    mutating func recoverAgain(_ name: String) { recovered.append(name) }

    mutating func wantScan() { isScanDue = true }

    /// The next name, if there is one. What events tell and what is found in the folder take turns.
    ///
    /// - Parameter startScan: called when the folder has to be read; `nil` when it cannot be.
    mutating func next(startScan: () -> DirectoryScan?) -> (name: String, sighting: DiscoveredBy)? {
        if recovery != nil || !recovered.isEmpty {
            if recovered.isEmpty {
                recovered = recovery?.next(Self.piece) ?? []
                if recovered.isEmpty { recovery = nil }
            }
            if let name = recovered.popLast() { return (name, .recovered) }
        }
        isToldNext.toggle()
        if isToldNext, let name = nextTold() { return name }
        return nextScanned(startScan) ?? nextTold()
    }

    private mutating func nextTold() -> (name: String, sighting: DiscoveredBy)? {
        guard consumedCount < reported.count else { return nil }
        defer {
            consumedCount += 1
            // What is passed leaves in large pieces, each name once.
            if consumedCount == reported.count || consumedCount >= 1_024 {
                reported.removeFirst(consumedCount)
                consumedCount = 0
            }
        }
        return reported[consumedCount]
    }

    private mutating func nextScanned(_ startScan: () -> DirectoryScan?) -> (name: String, sighting: DiscoveredBy)? {
        if scanned.isEmpty, scan == nil, isScanDue {
            isScanDue = false
            scan = startScan()
        }
        if scanned.isEmpty, scan != nil {
            scanned = scan?.next(Self.piece) ?? []
            if scanned.isEmpty { scan = nil }
        }
        return scanned.popLast().map { ($0, .scan) }
    }
}
