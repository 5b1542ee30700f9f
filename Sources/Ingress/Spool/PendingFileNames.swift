import LinuxIO

/// The names of one group that are waiting to be looked at: of an earlier daemon's claims, told by events, and found by
/// reading the folder.
///
/// Bounded: of the folders only so many names are read as are needed soon, and what events tell past the bound is
/// found again by a reading that is then due. A name may come twice; who looks finds nothing there the second time.
struct PendingFileNames: ~Copyable {
    private static let piece = 256

    private let bound: Int
    private var told: [(name: String, sighting: DiscoveredBy)] = []
    private var toldCount = 0
    private var recovery: DirectoryScan?
    private var recovered: [String] = []
    private var scan: DirectoryScan?
    private var scanned: [String] = []
    private var isToldNext = false
    /// The folder has to be read (again).
    private(set) var isScanDue = false

    init(bound: Int) { self.bound = bound }

    var isEmpty: Bool {
        told.count == toldCount && recovery == nil && recovered.isEmpty && scan == nil && scanned.isEmpty && !isScanDue
    }

    /// An event told of a name.
    mutating func add(_ name: String, _ sighting: DiscoveredBy) {
        guard told.count - toldCount < bound else {
            isScanDue = true
            return
        }
        told.append((name, sighting))
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
        guard toldCount < told.count else { return nil }
        defer {
            toldCount += 1
            // What is passed leaves in large pieces, each name once.
            if toldCount == told.count || toldCount >= 1_024 {
                told.removeFirst(toldCount)
                toldCount = 0
            }
        }
        return told[toldCount]
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
        return scanned.popLast().map { ($0, .scanned) }
    }
}
