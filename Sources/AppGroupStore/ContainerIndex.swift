import Foundation
import GRDB
import NotificationModel

/// `index.sqlite`: which files are in the container, and which message shows which. Other processes may read it (WAL).
///
/// The files are the truth and are durable before their row is: `synchronous=NORMAL` may forget the last rows in a
/// power cut, never a file (SQLite, "WAL mode": consistent, the last commits may roll back).
struct ContainerIndex {
    private let database: DatabaseQueue

    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "index.sqlite"
        // A one-shot command may write beside the daemon.
        configuration.busyMode = .timeout(1)
        configuration.journalMode = .wal
        database = try DatabaseQueue(path: path, configuration: configuration)
        try Self.migrator.migrate(database)
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.create(table: "asset") { table in
                table.primaryKey("sha256", .text)
                table.column("path", .text).notNull()
                table.column("mimeType", .text).notNull()
                table.column("bytes", .integer).notNull()
                table.column("width", .integer).notNull()
                table.column("height", .integer).notNull()
                table.column("frames", .integer).notNull()
                table.column("durationMs", .integer)
                table.column("storedAt", .integer).notNull()
                table.column("usedAt", .integer).notNull()
            }
            try database.create(table: "message") { table in
                table.primaryKey("id", .text)
                table.column("providerId", .text).indexed()
                table.column("emittedAt", .integer).notNull()
            }
            try database.create(table: "messageAsset") { table in
                table.column("messageId", .text).notNull().references("message", onDelete: .cascade)
                table.column("position", .integer).notNull()
                table.column("sha256", .text).notNull().references("asset")
                table.primaryKey(["messageId", "position"])
            }
        }
        return migrator
    }

    /// Notes in one transaction which files there are and what the message shows, in place of what was noted for it before.
    func insert(_ message: MessageRecord) throws {
        try database.write { database in
            for asset in message.attachments.flatMap(\.assets) { try Self.insert(asset, into: database) }
            try database.execute(
                sql: "INSERT OR REPLACE INTO message (id, providerId, emittedAt) VALUES (?, ?, unixepoch())",
                arguments: [message.id.description, message.providerID])
            for (position, attachment) in message.attachments.enumerated() {
                try database.execute(
                    sql: "INSERT INTO messageAsset (messageId, position, sha256) VALUES (?, ?, ?)",
                    arguments: [message.id.description, position, attachment.shown.sha256])
            }
        }
    }

    /// Of an asset that is known the time of use is renewed.
    private static func insert(_ asset: StoredAsset, into database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO asset (sha256, path, mimeType, bytes, width, height, frames, durationMs, storedAt, usedAt)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, unixepoch(), unixepoch())
                ON CONFLICT (sha256) DO UPDATE SET usedAt = excluded.usedAt
                """)
        let info = asset.info
        try statement.execute(arguments: [
            asset.sha256, asset.path, info.type.mimeType, info.byteCount, info.width, info.height, info.frames,
            info.duration.map { Int($0.milliseconds) },
        ])
    }
}
