import FoundationEssentials
import GRDB
import LinuxIO

/// The numbers of a group that eviction needs. They are kept in memory, so that eviction opens only the indexes that have
/// changed or have something to remove. Times are in seconds since 1970, and `infinity` for none. 64 bytes.
struct GroupUsage: Equatable {
    /// The state of the index's files when this was read; `nil`: they may have changed since without showing it.
    var stamp: IndexStamp?
    /// Bytes of all files.
    var bytes: Int
    /// Bytes of the files that are pinned, each once.
    var pinnedBytes: Int
    /// The earliest use of a file that is neither leased nor pinned.
    var oldestFreeUse: Double
    /// The date of the oldest rendition, or of the oldest message without a leased file.
    var oldestRecord: Double
    /// The end of the first lease of a file that was used earlier than `oldestFreeUse`, or belongs to a message that is older
    /// than every message without a leased file.
    var firstLeaseEnd: Double
    /// The end of the first pin.
    var firstPinEnd: Double

    /// Whether the index has nothing that eviction removes: nothing free that was last used, emitted or made before a date,
    /// and no pin or lease that has ended since.
    func hasNothingDue(before date: Date, at now: Date) -> Bool {
        min(oldestFreeUse, oldestRecord) >= date.timeIntervalSince1970
            && min(firstPinEnd, firstLeaseEnd) >= now.timeIntervalSince1970
    }
}

/// The state of the files of an index, as a hash of their numbers, sizes and times. Each change of the index changes the
/// database or its WAL.
struct IndexStamp: Equatable {
    /// Resolution of the times of files, at the worst.
    private static let resolution: Duration = .seconds(2)

    private let hash: UInt

    /// - Returns: `nil` if there is no index, or it was written so lately that the next change may have the same time.
    init?(of path: String, at now: Date) {
        guard let database = try? FileSystem.look(through: path) else { return nil }
        // An empty log is like none.
        let log = (try? FileSystem.look(through: path + "-wal")).flatMap { $0.byteCount > 0 ? $0 : nil }
        let last = max(database.modified, log?.modified ?? .zero)
        guard last + Self.resolution < .seconds(now.timeIntervalSince1970) else { return nil }
        var hasher = Hasher()
        for file in [database, log].compactMap(\.self) {
            hasher.combine(file.number)
            hasher.combine(file.byteCount)
            hasher.combine(file.modified)
        }
        hash = UInt(bitPattern: hasher.finalize())
    }
}

extension ContainerIndex {
    /// Reads what eviction needs to know.
    func usage(stamp: IndexStamp?, at now: Date) throws -> GroupUsage {
        try database.read { database in
            func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Double? {
                try Double.fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
            }
            let total = try number("SELECT total(bytes) FROM asset") ?? 0
            // A total of more than a pebibyte comes from damaged rows.
            guard (0...0x1p50).contains(total) else { throw Row.damage(in: "bytes") }
            let pinned = try number(
                "SELECT total(bytes) FROM asset WHERE sha256 IN (SELECT sha256 FROM pin WHERE keepUntil > ?)",
                [now.timeIntervalSince1970])
            let time = now.timeIntervalSince1970
            let use =
                try number("SELECT usedAt FROM asset WHERE \(Self.isFree) ORDER BY usedAt LIMIT 1", [time, time])
                ?? .infinity
            let emission =
                try number(
                    "SELECT emittedAt FROM message WHERE \(Self.hasNoLease) ORDER BY emittedAt LIMIT 1", [time])
                ?? .infinity
            // Only leases that hold something older matter, so few rows are read.
            let leases = [
                try number("SELECT min(heldUntil) FROM asset WHERE usedAt < ? AND heldUntil >= ?", [use, time]),
                try number(
                    """
                    SELECT min(heldUntil) FROM message
                        JOIN messageAsset ON messageAsset.messageId = message.id JOIN asset USING (sha256)
                    WHERE emittedAt < ? AND heldUntil >= ?
                    """, [emission, time]),
            ]
            return GroupUsage(
                stamp: stamp, bytes: Int(total), pinnedBytes: pinned.flatMap { Int(exactly: $0) } ?? 0,
                oldestFreeUse: use,
                oldestRecord: min(emission, try number("SELECT min(madeAt) FROM rendition") ?? .infinity),
                firstLeaseEnd: leases.compactMap(\.self).min() ?? .infinity,
                firstPinEnd: try number("SELECT min(keepUntil) FROM pin") ?? .infinity)
        }
    }
}
