import FoundationEssentials
import GRDB
import SQLiteFiles

/// The queries that delete messages: after their retention, and the oldest ones if there are too many.
extension ContainerIndex {
    /// The position of a message in the order of their emission.
    struct MessagePosition {
        /// The time of the emission, in seconds since 1970.
        var emittedAt: Double
        var row: Int64

        /// The position before all messages.
        static let start = MessagePosition(emittedAt: -.infinity, row: .min)
    }

    /// The condition of a row of `message` that no other part of the program needs. A purge finds a file by the URL that
    /// a message has for it, so another message must have the same URL for each file. A leased file that a silent push
    /// fetched may be found only by the row of this push. The time is bound once.
    private static let isDispensable = """
        (prefetchedFor IS NULL OR \(hasNoLease)) AND NOT EXISTS (
            SELECT 1 FROM messageAsset AS own WHERE own.messageId = message.id AND NOT EXISTS (
                SELECT 1 FROM messageAsset AS other
                WHERE other.sha256 = own.sha256 AND other.url = own.url AND other.messageId <> own.messageId))
        """

    /// Deletes messages that were emitted before a date, the oldest first. A message is kept while one of its files is
    /// leased, as the file may have been prefetched for a later push.
    ///
    /// - Parameter most: The maximum number of messages that are deleted.
    /// - Returns: Whether there may be more such messages.
    func forgetMessages(_ most: Int, emittedBefore date: Date, at now: Date) throws -> Bool {
        try database.write { database in
            let deletion = try database.cachedStatement(
                sql: """
                    DELETE FROM message WHERE rowid IN (
                        SELECT rowid FROM message WHERE emittedAt < ? AND \(Self.hasNoLease) ORDER BY emittedAt LIMIT ?)
                    """)
            try deletion.execute(arguments: [date.timeIntervalSince1970, now.timeIntervalSince1970, most])
            return database.changesCount == most
        }
    }

    /// Returns the number of messages that exceed a limit.
    func surplusOfMessages(over limit: Int) throws -> Int {
        try database.read { database in
            func number(_ sql: String) throws -> Int? { try Int.fetchOne(database.cachedStatement(sql: sql)) }
            // Rows have increasing numbers, so most indexes need not count their rows.
            guard let first = try number("SELECT min(rowid) FROM message"),
                let last = try number("SELECT max(rowid) FROM message"), last - first >= limit
            else { return 0 }
            return max(0, (try number("SELECT count(*) FROM message") ?? 0) - limit)
        }
    }

    /// Deletes the oldest messages after a position, except for those that another part of the program needs.
    ///
    /// - Parameter most: The maximum number of messages that are tried.
    /// - Returns: The position of the last message that was tried; `nil` if there was no message to try.
    func forgetMessages(_ most: Int, after position: MessagePosition, at now: Date) throws -> MessagePosition? {
        try database.write { database in
            let candidates = try Row.fetchAll(
                database,
                sql: """
                    SELECT rowid, emittedAt FROM message WHERE (emittedAt, rowid) > (?, ?)
                    ORDER BY emittedAt, rowid LIMIT ?
                    """, arguments: [position.emittedAt, position.row, most])
            let deletion = try database.cachedStatement(
                sql: "DELETE FROM message WHERE rowid = ? AND \(Self.isDispensable)")
            var end: MessagePosition?
            for row in candidates {
                let position = MessagePosition(emittedAt: try row.sound("emittedAt"), row: try row.sound("rowid"))
                try deletion.execute(arguments: [position.row, now.timeIntervalSince1970])
                end = position
            }
            return end
        }
    }
}
