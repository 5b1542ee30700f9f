import NotificationModel
import Primitives

/// The files and hosts that are blocked because their media crashed workers. The type has no side effects; the caller
/// passes the time.
///
/// The same bytes will probably crash the next worker, too. An attacker sends such bytes again with changes. A file is
/// blocked for an hour. A host is blocked for five minutes after three of its files crashed workers within ten minutes.
/// During these five minutes, all media of the host are blocked in the app group whose requests named the files. The
/// daemon does not keep this state over a restart.
struct CrashHistory {
    /// A file, identified by its SHA-256 digest and its size in bytes.
    struct File: Hashable {
        let digest: [UInt8]
        let byteCount: Int
    }

    struct Origin: Hashable {
        let group: AppGroupName
        let host: String

        /// Creates the origin of a flow.
        ///
        /// - Returns: `nil` if the bytes come from the payload, because there is no host to block.
        init?(_ flow: TranscodeFlow) {
            guard flow.hasOrigin else { return nil }
            group = flow.group
            host = flow.host
        }
    }

    static let fileRest = Duration.seconds(3_600)
    static let hostRest = Duration.seconds(300)
    static let hostWindow = Duration.seconds(600)
    static let hostFiles = 3
    /// The largest number of files, and of hosts, that are stored. The oldest are removed first.
    private static let most = 4_096

    /// The number of crashes so far.
    private(set) var count = 0
    private var files: [File: MonotonicInstant] = [:]
    private var crashes: [Origin: [File: MonotonicInstant]] = [:]
    private var resting: [Origin: MonotonicInstant] = [:]

    /// Records that a file crashed a worker.
    mutating func note(_ file: File, from origin: Origin?, at now: MonotonicInstant) {
        count += 1
        Self.insert(file, now + Self.fileRest, into: &files, at: now)
        guard let origin else { return }
        var recent = crashes.removeValue(forKey: origin)?.filter { $0.value + Self.hostWindow > now } ?? [:]
        recent[file] = now
        if recent.count >= Self.hostFiles {
            Self.insert(origin, now + Self.hostRest, into: &resting, at: now)
        } else {
            if crashes.count >= Self.most, let any = crashes.first { crashes[any.key] = nil }
            crashes[origin] = recent
        }
    }

    /// Inserts an entry. If the table is full, the entries that are no longer blocked are removed first. If there are
    /// no such entries, the entry with the shortest remaining time is removed.
    private static func insert<Key>(
        _ key: Key, _ end: MonotonicInstant, into table: inout [Key: MonotonicInstant], at now: MonotonicInstant
    ) {
        if table[key] == nil, table.count >= most {
            table = table.filter { $0.value > now }
            if table.count >= most, let first = table.min(by: { $0.value < $1.value }) { table[first.key] = nil }
        }
        table[key] = end
    }

    /// Returns whether a file of this size may be blocked. The caller computes the file's digest only in that case.
    func mayRest(_ byteCount: Int) -> Bool { !files.isEmpty && files.contains { $0.key.byteCount == byteCount } }

    /// Returns the remaining time for which a file is blocked; `nil` if it is not blocked.
    func rest(of file: File, at now: MonotonicInstant) -> Duration? { Self.left(files[file], at: now) }

    /// Returns the remaining time for which a host is blocked; `nil` if it is not blocked.
    func rest(of origin: Origin?, at now: MonotonicInstant) -> Duration? {
        origin.flatMap { Self.left(resting[$0], at: now) }
    }

    private static func left(_ end: MonotonicInstant?, at now: MonotonicInstant) -> Duration? {
        end.flatMap { $0 > now ? now.duration(to: $0) : nil }
    }
}
