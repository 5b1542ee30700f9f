import GRDB

/// The tables of the index. Only the processes of the cache use them, so a version with other tables creates a new
/// index.
extension CacheIndex {
    static let schemaVersion = 3

    static func prepare(_ database: DatabaseQueue) throws {
        if try database.read(version) == schemaVersion { return }
        // One process creates the tables, and another process that waited finds them.
        try database.write { database in
            switch try version(database) {
            case schemaVersion: return
            case 0: try makeTables(database)
            default: throw OtherVersion()
            }
        }
    }

    static func version(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    }

    /// Creates the tables. Triggers update the totals, so the totals are exact even if several processes write. Reading
    /// the totals needs no scan of the rows.
    private static func makeTables(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE response (
                    id TEXT PRIMARY KEY NOT NULL, key TEXT NOT NULL, method TEXT NOT NULL, status INTEGER NOT NULL,
                    fields BLOB NOT NULL, requestFields BLOB NOT NULL, requestTime REAL NOT NULL,
                    responseTime REAL NOT NULL, usedAt INTEGER NOT NULL, bytes INTEGER NOT NULL,
                    storedFrom INTEGER NOT NULL, bodyBytes INTEGER NOT NULL, completeLength INTEGER,
                    file TEXT, checksum INTEGER, boot TEXT) STRICT;
                CREATE INDEX responseOfKey ON response (key, responseTime);
                CREATE INDEX responseByUse ON response (usedAt);
                CREATE INDEX responseOfFile ON response (file);
                CREATE TABLE total (entries INTEGER NOT NULL, bytes INTEGER NOT NULL);
                INSERT INTO total VALUES (0, 0);
                CREATE TRIGGER responseIn AFTER INSERT ON response BEGIN
                    UPDATE total SET entries = entries + 1, bytes = bytes + new.bytes;
                END;
                CREATE TRIGGER responseOut AFTER DELETE ON response BEGIN
                    UPDATE total SET entries = entries - 1, bytes = bytes - old.bytes;
                END;
                CREATE TRIGGER responseChange AFTER UPDATE OF bytes ON response BEGIN
                    UPDATE total SET bytes = bytes + new.bytes - old.bytes;
                END;
                PRAGMA user_version = \(schemaVersion);
                """)
    }
}
