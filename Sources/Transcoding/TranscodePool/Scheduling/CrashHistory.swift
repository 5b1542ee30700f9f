import Base
import NotificationModel

/// The files and hosts that are blocked because their media crashed workers. The type has no side effects.
///
/// The same bytes will probably crash the next worker, too. An attacker sends such bytes again with changes. A file is
/// blocked for an hour. A host is blocked for five minutes after three of its files crashed workers within ten minutes.
/// During these five minutes, all media of the host are blocked in the app group whose requests named the files. The
/// daemon does not keep this state over a restart. Serves the threat model: media files that crash workers repeatedly.
struct CrashHistory {
    /// A file, identified by its SHA-256 digest and its size in bytes.
    struct File: Hashable {
        let digest: [UInt8]
        let byteCount: Int
    }

    struct Origin: Hashable {
        let group: AppGroupName
        let host: String

        /// - Returns: `nil` if the bytes come from the payload, because there is no host to block.
        init?(_ flow: TranscodeFlow) {
            guard flow.hasOrigin else { return nil }
            group = flow.group
            host = flow.host
        }
    }

    static let fileCooldown = Duration.seconds(3_600)
    static let hostCooldown = Duration.seconds(300)
    static let hostWindow = Duration.seconds(600)
    static let hostFiles = 3
    /// The largest number of files, and of hosts, that are stored. The oldest are removed first.
    private static let most = 4_096

    /// The time of the last crash of each file.
    private var files: [File: MonotonicInstant] = [:]
    /// The times of the last crashes of each host's files. Older crashes than `hostWindow` are removed.
    private var hosts: [Origin: [File: MonotonicInstant]] = [:]

    /// Records that a file crashed a worker.
    mutating func note(_ file: File, from origin: Origin?, at now: MonotonicInstant) {
        Self.makeRoom(for: file, in: &files) { $0 }
        files[file] = now
        guard let origin else { return }
        Self.makeRoom(for: origin, in: &hosts) { $0.values.max() ?? now }
        hosts[origin] = hosts[origin]?.filter { $0.value + Self.hostWindow > now } ?? [:]
        hosts[origin]?[file] = now
    }

    private static func makeRoom<Key, Value>(
        for key: Key, in table: inout [Key: Value], time: (Value) -> MonotonicInstant
    ) {
        guard table[key] == nil, table.count >= most, let oldest = table.min(by: { time($0.value) < time($1.value) })
        else { return }
        table[oldest.key] = nil
    }

    /// Returns whether a file of this size may be blocked. The caller computes the file's digest only in that case.
    func mayCoolDown(_ byteCount: Int) -> Bool { files.contains { $0.key.byteCount == byteCount } }

    /// Returns the remaining time for which a file is blocked; `nil` if it is not blocked.
    func cooldown(of file: File, at now: MonotonicInstant) -> Duration? {
        Self.left(Self.fileCooldown, of: files[file], at: now)
    }

    /// Returns the remaining time for which a host is blocked; `nil` if it is not blocked.
    func cooldown(of origin: Origin?, at now: MonotonicInstant) -> Duration? {
        guard let crashes = origin.flatMap({ hosts[$0] }), crashes.count >= Self.hostFiles else { return nil }
        return Self.left(Self.hostCooldown, of: crashes.values.max(), at: now)
    }

    private static func left(_ cooldown: Duration, of crash: MonotonicInstant?, at now: MonotonicInstant) -> Duration? {
        crash.flatMap { $0 + cooldown > now ? now.duration(to: $0 + cooldown) : nil }
    }
}
