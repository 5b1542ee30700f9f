import Base
import FoundationEssentials
import GRDB
import HTTPCaching
import LinuxIO
import NotificationModel

/// The names and records of an archive during its import. They are in a database beside the blobs, so the memory of an
/// import does not grow with its archive.
///
/// The database is removed after the import, so it is neither synced nor journaled.
struct StagedRecords {
    enum Kind: String {
        case response
        case renditions
        case pin
    }

    private let database: DatabaseQueue

    /// - Parameter path: The path of a file that does not exist.
    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "import"
        configuration.prepareDatabase { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = OFF;
                    PRAGMA synchronous = OFF;
                    PRAGMA locking_mode = EXCLUSIVE;
                    PRAGMA cache_size = -4096;
                    """)
        }
        database = try DatabaseQueue(path: path, configuration: configuration)
        try database.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE blob (digest TEXT PRIMARY KEY, bytes INTEGER) WITHOUT ROWID;
                    CREATE TABLE record (number INTEGER PRIMARY KEY, kind TEXT, name TEXT UNIQUE, bytes BLOB);
                    CREATE INDEX recordByKind ON record (kind);
                    CREATE TABLE response (id TEXT PRIMARY KEY, isPresent INTEGER) WITHOUT ROWID;
                    CREATE TABLE made (identity TEXT, record TEXT);
                    CREATE TABLE reference (digest TEXT, bytes INTEGER, type TEXT, record TEXT);
                    CREATE INDEX referenceByDigest ON reference (digest);
                    """)
        }
    }

    func close() { try? database.close() }

    /// Runs a body that adds records, in one transaction.
    func fill(_ body: (borrowing Adder) throws -> Void) throws { try database.write { try body(Adder(database: $0)) } }

    /// A writer that adds the entries of an archive.
    struct Adder {
        fileprivate let database: Database

        /// Adds the name and size of a blob; returns `false` if the archive has already contained the blob.
        func addBlob(_ digest: String, byteCount: Int) throws -> Bool {
            try database.cachedStatement(sql: "INSERT OR IGNORE INTO blob VALUES (?, ?)")
                .execute(arguments: [digest, byteCount])
            return database.changesCount == 1
        }

        /// Adds a record and its references to blobs; returns `false` if the archive has already contained the record.
        /// Throws ``ArchiveError`` if another response has the same id.
        func add(_ record: ArchiveRecord, bytes: [UInt8], named name: String) throws -> Bool {
            try database.cachedStatement(sql: "INSERT OR IGNORE INTO record (kind, name, bytes) VALUES (?, ?, ?)")
                .execute(arguments: [record.kind.rawValue, name, Data(bytes)])
            guard database.changesCount == 1 else { return false }
            switch record {
            case .response(let record):
                try database.cachedStatement(sql: "INSERT OR IGNORE INTO response VALUES (?, 0)")
                    .execute(arguments: [record.response.id])
                guard database.changesCount == 1 else {
                    throw ArchiveError.record(name: name, problem: "another record has the same id")
                }
                if let body = record.body { try refer(to: body, record.response.storedBytes.count, from: name) }
            case .renditions(let record):
                try database.cachedStatement(sql: "INSERT INTO made VALUES (?, ?)")
                    .execute(arguments: [record.key.identity, name])
                try refer(to: record.media, from: name)
            case .pin(let record): try refer(to: record.media, from: name)
            }
            return true
        }

        private func refer(to media: StoredRenditions, from record: String) throws {
            for asset in media.assets {
                try refer(to: asset.sha256, asset.info.byteCount, type: asset.info.type, from: record)
            }
        }

        private func refer(to digest: String, _ byteCount: Int, type: MediaFormat? = nil, from record: String) throws {
            try database.cachedStatement(sql: "INSERT INTO reference VALUES (?, ?, ?, ?)")
                .execute(arguments: [digest, byteCount, type?.mimeType, record])
        }
    }

    /// Checks the references of the archive. Each record needs its blobs, each blob needs a record, and each set of
    /// renditions needs its response. `isType` returns whether the blob with a digest is of a type.
    func check(isType: (_ digest: String, MediaFormat) throws -> Bool) throws {
        try database.read { database in
            let made = "SELECT record FROM made WHERE identity NOT IN (SELECT id FROM response) LIMIT 1"
            if let name = try String.fetchOne(database, sql: made) {
                throw ArchiveError.record(name: name, problem: "its response is not in the archive")
            }
            let missing = """
                SELECT digest, record FROM reference LEFT JOIN blob USING (digest)
                WHERE blob.bytes IS NOT reference.bytes LIMIT 1
                """
            if let row = try Row.fetchOne(database, sql: missing) {
                throw ArchiveError.missing(blob: row["digest"], record: row["record"])
            }
            let unused = "SELECT digest FROM blob WHERE digest NOT IN (SELECT digest FROM reference) LIMIT 1"
            if let digest = try String.fetchOne(database, sql: unused) { throw ArchiveError.unused(blob: digest) }
            let typed = try Row.fetchCursor(
                database, sql: "SELECT digest, type, record FROM reference WHERE type IS NOT NULL")
            while let row = try typed.next() {
                let (digest, mimeType): (String, String) = (row["digest"], row["type"])
                guard let type = MediaFormat.rendition(mimeType: mimeType), try isType(digest, type) else {
                    throw ArchiveError.record(
                        name: row["record"], problem: "\(digest) is not of the type \(mimeType)")
                }
            }
        }
    }

    /// Returns the next record of a kind after a number, which is 0 at the start; `nil` after the last record.
    func next(_ kind: Kind, after number: Int) throws -> (number: Int, record: ArchiveRecord)? {
        let row = try database.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT number, bytes FROM record WHERE kind = ? AND number > ? ORDER BY number LIMIT 1")
            return try Row.fetchOne(statement, arguments: [kind.rawValue, number])
        }
        guard let row else { return nil }
        return (row["number"], try ArchiveRecord(Array(row["bytes"] as Data)))
    }

    /// Returns at most `most` ids of responses after an id, which is empty at the start, in ascending order.
    func ids(after id: String, atMost most: Int) throws -> [String] {
        try database.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT id FROM response WHERE id > ? ORDER BY id LIMIT ?")
            return try String.fetchAll(statement, arguments: [id, most])
        }
    }

    /// Marks responses that are already in the cache.
    func notePresent(_ ids: Set<String>) throws {
        try database.write { database in
            let statement = try database.cachedStatement(sql: "UPDATE response SET isPresent = 1 WHERE id = ?")
            for id in ids { try statement.execute(arguments: [id]) }
        }
    }

    /// Returns whether the cache contained a response before the import.
    func isPresent(_ id: String) throws -> Bool {
        try database.read { database in
            let statement = try database.cachedStatement(sql: "SELECT isPresent FROM response WHERE id = ?")
            return try Bool.fetchOne(statement, arguments: [id]) ?? false
        }
    }
}

extension ArchiveRecord {
    fileprivate var kind: StagedRecords.Kind {
        switch self {
        case .response: .response
        case .renditions: .renditions
        case .pin: .pin
        }
    }
}
