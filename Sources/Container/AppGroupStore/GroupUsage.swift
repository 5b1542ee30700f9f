import FoundationEssentials
import GRDB
import LinuxIO
import SQLiteFiles

/// The numbers of a group that eviction needs. They are cached, in 64 bytes, so eviction opens only indexes that have
/// changed or have a file to remove. Times are in seconds since 1970, and `infinity` stands for a missing time.
struct GroupUsage: Equatable {
    /// The state of the index's files at the time of reading; `nil` if a later change could leave the stamp unchanged.
    var stamp: IndexStamp?
    /// The number of bytes of all files.
    var bytes: Int
    /// The number of bytes of the pinned files, with each file counted once.
    var pinnedBytes: Int
    /// The earliest use of a file that is neither leased nor pinned.
    var oldestFreeUse: Double
    /// The date of the oldest rendition, or of the oldest message without a leased file, whichever is earlier.
    var oldestRecord: Double
    /// The earliest end of a lease that delays an eviction. Its file was used before `oldestFreeUse`, or its message is
    /// older than every message without a leased file.
    var firstLeaseEnd: Double
    /// The end of the first pin, in seconds since 1970.
    var firstPinEnd: Double

    /// Returns whether eviction has nothing to remove. No free file, message or rendition is older than `date`, and no
    /// pin or lease has ended before `now`.
    func hasNothingDue(before date: Date, at now: Date) -> Bool {
        min(oldestFreeUse, oldestRecord) >= date.timeIntervalSince1970
            && min(firstPinEnd, firstLeaseEnd) >= now.timeIntervalSince1970
    }
}

/// A hash of the inode numbers, sizes and times of an index's files. Each change changes the database or its WAL.
struct IndexStamp: Equatable {
    /// The coarsest resolution of file times that the stamp allows for.
    private static let resolution: Duration = .seconds(2)

    private let hash: UInt

    /// Reads the state of an index; returns `nil` if there is no index, or if its last change is at most two seconds
    /// old. The next change may then have the same time.
    init?(of path: String, at now: Date) {
        guard let database = try? FileSystem.look(through: path) else { return nil }
        // An empty log counts as a missing log.
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
    /// Returns the numbers of the group that eviction needs.
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
                try number("SELECT emittedAt FROM message WHERE \(Self.hasNoLease) ORDER BY emittedAt LIMIT 1", [time])
                ?? .infinity
            // Only leases that protect older files or messages matter, so the queries read few rows.
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
