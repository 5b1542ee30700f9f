import Foundation
import GRDB
import NotificationModel
import TestSupport

extension StoreFixture {
    /// Returns the first column of a query on the group's index, as another process reads it.
    func rows(_ sql: String) async throws -> [String] {
        var configuration = Configuration()
        configuration.readonly = true
        let index = try DatabaseQueue(path: groupDirectory + "/index.sqlite", configuration: configuration)
        return try await index.read { database in
            try Row.fetchAll(database, sql: sql).compactMap { row in
                String.fromDatabaseValue(row[0] as DatabaseValue) ?? Int.fromDatabaseValue(row[0]).map { "\($0)" }
            }
        }
    }

    /// Changes the index over a connection that the store does not know.
    func write(_ sql: String, in group: AppGroupName = Self.group) async throws {
        let index = try DatabaseQueue(path: "\(directory.path)/\(group)/index.sqlite")
        try await index.write { try $0.execute(sql: sql) }
    }

    /// Sets the time of the last use of a file.
    ///
    /// - Parameter second: The time in seconds since 1970.
    func setUse(of asset: StoredAsset, in group: AppGroupName = Self.group, to second: Int) async throws {
        try await write("UPDATE asset SET usedAt = \(second) WHERE sha256 = '\(asset.sha256)'", in: group)
    }

    /// Creates an index with a message, in the first version of the program.
    static func makeFirstIndex(_ path: String) throws {
        let index = try DatabaseQueue(path: path)
        try index.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    INSERT INTO grdb_migrations VALUES ('1');
                    CREATE TABLE asset (sha256 TEXT PRIMARY KEY NOT NULL, path TEXT NOT NULL, mimeType TEXT NOT NULL,
                        bytes INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
                        frames INTEGER NOT NULL, durationMs INTEGER, storedAt INTEGER NOT NULL,
                        usedAt INTEGER NOT NULL);
                    CREATE TABLE message (id TEXT PRIMARY KEY NOT NULL, providerId TEXT, emittedAt INTEGER NOT NULL);
                    CREATE TABLE messageAsset (messageId TEXT NOT NULL REFERENCES message(id) ON DELETE CASCADE,
                        position INTEGER NOT NULL, sha256 TEXT NOT NULL REFERENCES asset(sha256),
                        PRIMARY KEY (messageId, position));
                    INSERT INTO asset VALUES ('aa', 'media/aa/aa.jpg', 'image/jpeg', 1, 1, 1, 1, NULL, 1, 1);
                    INSERT INTO message VALUES ('old', NULL, 1);
                    INSERT INTO messageAsset VALUES ('old', 0, 'aa');
                    """)
        }
        try index.close()
    }
}
