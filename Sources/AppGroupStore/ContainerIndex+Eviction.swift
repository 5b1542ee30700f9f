import FoundationEssentials
import GRDB

/// What can go, and what is there without a word about it.
extension ContainerIndex {
    struct Evicted {
        var files = 0
        var bytes = 0
    }

    /// Bytes of all files.
    func byteCount() throws -> Int {
        try database.read { database in
            let total = try Double.fetchOne(database, sql: "SELECT total(bytes) FROM asset") ?? 0
            // No container has a pebibyte.
            guard (0...0x1p50).contains(total) else { throw Row.damage(in: "bytes") }
            return Int(total)
        }
    }

    /// When the file that was used least recently was used, of those that nobody holds.
    func oldestUse(at now: Date) throws -> Date? {
        try database.read { database in
            try Double.fetchOne(
                database, sql: "SELECT usedAt FROM asset WHERE heldUntil < ? ORDER BY usedAt LIMIT 1",
                arguments: [now.timeIntervalSince1970]
            ).map { Date(timeIntervalSince1970: $0) }
        }
    }

    /// Removes the files that were used least recently, of those that nobody holds; in one transaction, so that another
    /// process that is about to hold one of them either comes before or finds it gone.
    ///
    /// - Parameters:
    ///   - most: how many, at most.
    ///   - enough: no more than bring so many bytes.
    ///   - remove: takes a file away by its path within the group. What fails stays in the index.
    func evict(
        _ most: Int, usedBefore date: Date = .distantFuture, enough: Int = .max, at now: Date,
        remove: (String) -> Bool
    ) throws -> Evicted {
        try database.write { database in
            let candidates = try Row.fetchAll(
                database,
                sql: "SELECT sha256, path, bytes FROM asset WHERE heldUntil < ? AND usedAt < ? ORDER BY usedAt LIMIT ?",
                arguments: [now.timeIntervalSince1970, date.timeIntervalSince1970, most])
            var evicted = Evicted()
            for row in candidates where evicted.bytes < enough {
                let (path, bytes) = (try row.mediaPath(), try row.byteCount("bytes"))
                guard remove(path) else { continue }
                try database.cachedStatement(sql: "DELETE FROM asset WHERE sha256 = ?")
                    .execute(arguments: [row["sha256"] as DatabaseValue])
                evicted.files += 1
                evicted.bytes += bytes
            }
            return evicted
        }
    }

    /// Forgets old messages, and what was made of which medium before that. What was fetched ahead for one that is still
    /// to come is known as long as it is held.
    func forgetMessages(emittedBefore date: Date, at now: Date) throws {
        try database.write { database in
            try database.execute(
                sql: """
                    DELETE FROM message WHERE emittedAt < ? AND NOT EXISTS (
                        SELECT 1 FROM messageAsset JOIN asset USING (sha256)
                        WHERE messageAsset.messageId = message.id AND asset.heldUntil >= ?)
                    """, arguments: [date.timeIntervalSince1970, now.timeIntervalSince1970])
            try database.execute(
                sql: "DELETE FROM rendition WHERE madeAt < ?", arguments: [date.timeIntervalSince1970])
        }
    }
}
