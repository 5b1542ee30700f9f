import DequeModule
import LinuxIO
import NotificationModel

/// The queue of a group's names that are to be checked. The names come from the claims of an earlier daemon, from
/// events, and from scans of the directory.
///
/// The queue is bounded. A scan returns only the names that are needed soon, and a later scan finds names of events
/// beyond the bound. A name may occur twice. The second check then finds no file.
struct PendingFileNames {
    /// The number of names that a scan of `incoming` returns. The number doubles while most names stay in `incoming`,
    /// so that the next scan reaches the names after them.
    private static let minOfScan = 256

    private let directories: SpoolDirectories
    private let bound: Int
    private var reported: Deque<(name: String, observed: DiscoveredBy)> = []
    /// Whether the directory of an earlier daemon's claims is still to be read.
    private var isRecoveryDue = false
    private var recovered: [String] = []
    /// Whether the directory has to be read again.
    private var isScanDue = false
    private var scanned: [String] = []
    /// The numbers of the last scan: the bound of its names, and the names that left `incoming`.
    private var scanBound = minOfScan
    private var takenCount = minOfScan
    private var isReportedNext = false
    /// Whether the claims of an earlier daemon cannot be read now. No name is returned until `wantScan` is called.
    private var isBlocked = false

    init(_ directories: SpoolDirectories, bound: Int) {
        self.directories = directories
        self.bound = bound
    }

    var isEmpty: Bool {
        isBlocked || !isRecoveryDue && !isScanDue && recovered.isEmpty && reported.isEmpty && scanned.isEmpty
    }

    /// Adds a name that an event reported.
    mutating func add(_ name: String, _ observed: DiscoveredBy) {
        if reported.count < bound { reported.append((name, observed)) } else { isScanDue = true }
    }

    /// Requests the claims of an earlier daemon, which take precedence, because their budgets are running.
    mutating func wantRecovery() { isRecoveryDue = true }

    /// Adds a claimed file that could not be read or rejected at the moment.
    mutating func recoverAgain(_ name: String) { recovered.append(name) }

    mutating func wantScan() {
        isScanDue = true
        isBlocked = false
    }

    /// Records that a name from a scan is no longer in `incoming`.
    mutating func noteTaken() { takenCount += 1 }

    /// Returns the next name; `nil` if no name is available now. Names of events alternate with names of the scan.
    /// Throws the error of a directory that exists and cannot be read.
    mutating func next() throws(SystemError) -> (name: String, observed: DiscoveredBy)? {
        if isRecoveryDue {
            do throws(SystemError) { recovered += try names(in: directories.claimed, atMost: .max) } catch {
                isBlocked = true
                throw error
            }
            isRecoveryDue = false
        }
        if let name = recovered.popLast() { return (name, .recovered) }
        isReportedNext.toggle()
        if isReportedNext, let name = reported.popFirst() { return name }
        if scanned.isEmpty, isScanDue { try scan() }
        if let name = scanned.popLast() { return (name, .scan) }
        return reported.popFirst()
    }

    private mutating func scan() throws(SystemError) {
        if takenCount < scanBound / 2 { scanBound *= 2 }
        isScanDue = false
        scanned = try names(in: directories.incoming, atMost: scanBound)
        takenCount = 0
        // A scan with fewer names than its bound has read the whole directory.
        isScanDue = scanned.count == scanBound
        if !isScanDue { (scanBound, takenCount) = (Self.minOfScan, Self.minOfScan) }
    }

    private func names(in directory: String, atMost count: Int) throws(SystemError) -> [String] {
        do throws(SystemError) {
            var scan = try DirectoryScan.start(directory)
            return scan.next(count)
        } catch  where error.isNoSuchFile {
            return []
        }
    }
}

/// The state of one group in the spool. Only the spool's thread uses it.
final class GroupSpool {
    let name: AppGroupName
    let directories: SpoolDirectories
    /// The watch of the group's directory, in which `incoming` may be created; `nil` while no watch is available.
    var watch: DirectoryWatcher.DirectoryID?
    /// The watch of `incoming`; `nil` while `incoming` is missing or no watch is available.
    var incoming: DirectoryWatcher.DirectoryID?
    /// Whether no watch is available, so that the directories are checked every second instead.
    var isScanned = false
    /// The modification time of `incoming` at the last scan; `nil` if the next change might not alter this time.
    var seen: Duration?
    var names: PendingFileNames
    /// The names of files in `incoming` that do not end in `.json`. The log has one line for each of these names.
    var mistaken: Set<String> = []
    /// Whether a scan for the claims of an earlier daemon was requested.
    var isRecovered = false
    /// Whether the group is in the queue of groups with names to check.
    var isInLine = false
    /// Whether the coordinator accepts no more requests of the group for the moment. The files wait in `incoming`.
    var isFull = false

    init(name: AppGroupName, root: String, bound: Int) {
        self.name = name
        directories = SpoolDirectories(root: root, group: name)
        names = PendingFileNames(directories, bound: bound)
    }

    /// Whether the group had an `incoming` directory at the last check.
    var hasIncoming: Bool { incoming != nil || isScanned && isRecovered }
}
