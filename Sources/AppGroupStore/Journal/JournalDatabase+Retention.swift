import Foundation
import GRDB

/// What goes so that the journal stays within its limits.
extension JournalDatabase {
    /// Deletes results that are kept no longer, at most `count` of each kind.
    ///
    /// - Parameters:
    ///   - date: results that were emitted before it go.
    ///   - unkeyedDate: the same for those of unkeyed requests, whose caller has them.
    func forget(emittedBefore date: Date, unkeyedBefore unkeyedDate: Date, atMost count: Int) throws -> Written {
        try database.write { database in
            var written = Written()
            for (condition, date) in [("origin = 'call'", max(date, unkeyedDate)), ("origin <> 'call'", date)] {
                try Self.delete(
                    """
                    sequence IN (SELECT sequence FROM request WHERE \(condition) AND emittedAt < ? AND fileName IS NULL
                        ORDER BY emittedAt LIMIT ?)
                    """, [date.timeIntervalSince1970, count], in: database, &written)
            }
            return written
        }
    }

    /// Deletes the oldest results that nobody has to publish any more, at most `count`.
    func forgetOldest(_ count: Int) throws -> Written {
        try database.write { database in
            var written = Written()
            try Self.delete(
                """
                sequence IN (SELECT sequence FROM request WHERE emittedAt IS NOT NULL AND fileName IS NULL
                    ORDER BY sequence LIMIT ?)
                """, [count], in: database, &written)
            return written
        }
    }

    /// Bytes of all results, counted from the indexes alone.
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

    // MARK: The file

    /// Whether free pages can be given back in steps. Journals of versions before 0.2 cannot before they are vacuumed.
    func shrinksInSteps() throws -> Bool {
        try database.read { try Int.fetchOne($0, sql: "PRAGMA auto_vacuum") } == 2
    }

    /// Gives at most `count` free pages back to the file system, but for a tenth of the file and `spare` pages, which the
    /// next requests need again.
    ///
    /// - Returns: whether there are more.
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

    /// Writes the whole database anew, so that it can shrink in steps from then on. ``DatabaseQueue/interrupt()`` ends it
    /// early.
    func rebuild() throws {
        try database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            try database.execute(sql: "VACUUM")
        }
    }
}
