import NotificationModel

/// Which files and hosts rest because their media crashed workers: pure, with the time handed in.
///
/// The same bytes are likely to crash the next worker, too, and an attacker sends them again with changes. A file rests
/// for an hour. When three different files of one host crashed workers within ten minutes, all media of that host rest for
/// five minutes, in the app group whose requests named them. Nothing is kept over a restart of the
/// daemon.
struct CrashHistory {
    /// SHA-256 of a file, and its size in bytes.
    struct File: Hashable {
        let digest: [UInt8]
        let byteCount: Int
    }

    struct Origin: Hashable {
        let group: AppGroupName
        let host: String

        /// `nil`: the bytes come from the payload, and there is no host that could rest.
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
    /// Most files, and most hosts, that are remembered; the oldest are forgotten.
    private static let most = 4_096

    /// Grows with each crash.
    private(set) var count = 0
    private var files: [File: MonotonicInstant] = [:]
    private var crashes: [Origin: [File: MonotonicInstant]] = [:]
    private var resting: [Origin: MonotonicInstant] = [:]

    /// A file has crashed a worker.
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

    /// Forgets what has rested enough, and the one that rests the shortest, when the table is full.
    private static func insert<Key>(
        _ key: Key, _ end: MonotonicInstant, into table: inout [Key: MonotonicInstant], at now: MonotonicInstant
    ) {
        if table[key] == nil, table.count >= most {
            table = table.filter { $0.value > now }
            if table.count >= most, let first = table.min(by: { $0.value < $1.value }) { table[first.key] = nil }
        }
        table[key] = end
    }

    /// Whether a file of this size may rest: its digest is computed only then.
    func mayRest(_ byteCount: Int) -> Bool { !files.isEmpty && files.contains { $0.key.byteCount == byteCount } }

    /// How long a file rests from now on; `nil`: it does not.
    func rest(of file: File, at now: MonotonicInstant) -> Duration? { Self.left(files[file], at: now) }

    /// How long the media of a host rest from now on; `nil`: they do not.
    func rest(of origin: Origin?, at now: MonotonicInstant) -> Duration? {
        origin.flatMap { Self.left(resting[$0], at: now) }
    }

    private static func left(_ end: MonotonicInstant?, at now: MonotonicInstant) -> Duration? {
        end.flatMap { $0 > now ? now.duration(to: $0) : nil }
    }
}
