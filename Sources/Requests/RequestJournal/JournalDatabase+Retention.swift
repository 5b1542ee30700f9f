import Foundation
import GRDB
import NotificationModel

/// The deletions that keep the journal within its limits.
extension JournalDatabase {
    /// Deletes results that were emitted before a date, at most `count` of each kind. Results of unkeyed requests have
    /// another date, because their callers have received them.
    func forget(emittedBefore date: Date, unkeyedBefore unkeyedDate: Date, atMost count: Int) throws -> JournalEffects {
        try transaction { transaction in
            for (condition, date) in [("origin = 'call'", max(date, unkeyedDate)), ("origin <> 'call'", date)] {
                try transaction.delete(
                    """
                    sequence IN (SELECT sequence FROM request WHERE \(condition) AND emittedAt < ? AND fileName IS NULL
                        ORDER BY emittedAt LIMIT ?)
                    """, [date.timeIntervalSince1970, count])
            }
        }.effects
    }

    /// Deletes the oldest published results until their bytes reach `surplus`, at most `count` results.
    func forgetOldest(bytes surplus: Int, atMost count: Int) throws -> JournalEffects {
        try transaction { transaction in
            let oldest = try Row.fetchAll(
                transaction.database,
                sql: """
                    SELECT sequence, contentBytes FROM request WHERE emittedAt IS NOT NULL AND fileName IS NULL
                    ORDER BY sequence LIMIT ?
                    """, arguments: [count])
            for row in oldest where -transaction.effects.resultBytes < surplus {
                try transaction.delete("sequence = ?", [row["sequence"] as Int])
            }
        }.effects
    }

    /// Returns the number of bytes of all results. The query reads only the partial indexes.
    func resultBytes() throws -> Int {
        try database.read { database in
            try ["origin = 'call'", "origin <> 'call'"].reduce(0) { sum, condition in
                try sum
                    + (Int.fetchOne(
                        database,
                        sql: "SELECT sum(contentBytes) FROM request WHERE \(condition) AND emittedAt IS NOT NULL") ?? 0)
            }
        }
    }

    // MARK: Size of the database file

    /// Returns whether free pages can be released in steps. The free pages of a journal from an older version of the
    /// program can be released only after a rebuild.
    func shrinksInSteps() throws -> Bool { try database.read { try Int.fetchOne($0, sql: "PRAGMA auto_vacuum") } == 2 }

    /// Releases at most `count` free pages to the file system. A tenth of the file and `spare` pages stay free for the
    /// next requests. Returns whether more pages can be released.
    func shrink(by count: Int, spare: Int = 1_024) throws -> Bool {
        try database.writeWithoutTransaction { database in
            let free = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
            let all = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            let surplus = free - spare - all / 10
            guard surplus > 0 else { return false }
            try database.execute(sql: "PRAGMA incremental_vacuum(\(min(surplus, count)))")
            return surplus > count
        }
    }

    /// Rebuilds the database file, so that it can shrink in steps from then on. An interrupt of the database ends the
    /// rebuild early, and leaves the file unchanged.
    func rebuild() throws {
        try database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            try database.execute(sql: "VACUUM")
        }
    }
}
