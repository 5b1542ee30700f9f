import GRDB
import NotificationModel
import SQLiteFiles

/// The reading of an earlier daemon's journal at a start, and the repair of the journal after a failed sync.
extension JournalDatabase {
    /// A result whose publication may not be on the disk yet.
    struct Unfinalized {
        var content: EmittedContent
        var fileName: String
    }

    /// Returns the results of spool files.
    func unfinalized() throws -> [Unfinalized] {
        try database.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM request WHERE emittedAt IS NOT NULL AND fileName IS NOT NULL ORDER BY sequence"
            ).compactMap { row in
                Result(row)?.read(from: files).map { Unfinalized(content: $0, fileName: row["fileName"]) }
            }
        }
    }

    /// The requests without a result.
    struct Unemitted {
        /// The requests that can be read, oldest first.
        var entries: [JournalEntry] = []
        /// The names of the files of their large bodies.
        var bodyFiles: [RequestKey: String] = [:]
        /// The templates that they complete, by the names of their files.
        var templates: [String: SharedTemplate] = [:]
        /// The number of rows that do not contain a readable request.
        var unreadable = 0
    }

    /// Returns requests without a result. No caller waits for one of them any more, so their results are kept as long
    /// as the results of keyed requests. The earlier daemon worked on `count` requests at a time, so the attempts of
    /// this many oldest requests are incremented. The other requests were never started.
    func unemitted(tried count: Int) throws -> Unemitted {
        try database.write { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT * FROM request WHERE emittedAt IS NULL ORDER BY sequence")
            try database.execute(
                sql: """
                    UPDATE request SET attempts = attempts + 1 WHERE sequence IN (
                        SELECT sequence FROM request WHERE emittedAt IS NULL ORDER BY sequence LIMIT ?);
                    UPDATE request SET origin = 'detached' WHERE emittedAt IS NULL AND origin = 'call';
                    """, arguments: [count])
            var found = Unemitted()
            for (index, row) in rows.enumerated() {
                let name: String? = row.value(of: "templateFile")
                if let name, found.templates[name] == nil { found.templates[name] = files.template(name) }
                guard var entry = JournalEntry(row, files), name == nil || found.templates[name ?? ""] != nil else {
                    found.unreadable += 1
                    continue
                }
                if index < count { entry.attempts += 1 }
                entry.template = name.flatMap { found.templates[$0] }
                found.entries.append(entry)
                found.bodyFiles[entry.key] = row.value(of: "bodyFile")
            }
            return found
        }
    }

    /// Returns the number of the last row of a request that was ever inserted.
    func lastSequence() throws -> Int {
        try database.read { try Int.fetchOne($0, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'request'") ?? 0 }
    }

    /// Makes the commits of an earlier connection durable over a new descriptor, after a sync of that connection
    /// failed. The method removes rows that were never acknowledged, which are those after the row `sequence`.
    ///
    /// SQLite finds a transaction in the WAL whose sync failed, and treats it as committed, because the kernel's memory
    /// has its pages. So the whole WAL is copied into the database and synced before any transaction is added.
    func discard(after sequence: Int) throws -> JournalEffects {
        _ = try database.inDatabase { database in
            try database.checkpoint(.truncate)
        }
        return try transaction { transaction in
            try transaction.record(.discarded(after: sequence))
            try transaction.delete("sequence > ?", [sequence])
        }.effects
    }

    /// Returns the names of all value files that a row names.
    func namedFiles() throws -> Set<String> {
        try database.read { database in
            let own = ["bodyFile", "contentFile", "templateFile"].map { (table: "request", column: $0) }
            return try (own + tables.flatMap { type(of: $0).fileColumns }).reduce(into: Set()) { names, place in
                names.formUnion(
                    try String.fetchAll(
                        database,
                        sql: "SELECT \(place.column) FROM \(place.table) WHERE \(place.column) IS NOT NULL"))
            }
        }
    }

    /// Returns whether an unemitted request completes a template.
    func needsTemplate(_ name: String) throws -> Bool {
        try database.read { database in
            try Bool.fetchOne(
                database,
                sql: "SELECT EXISTS (SELECT 1 FROM request WHERE emittedAt IS NULL AND templateFile = ?)",
                arguments: [name]) ?? true
        }
    }

    /// Commits a transaction of `count` bytes that changes no request, and then removes the bytes. Success shows that
    /// the disk accepts writes. Pages that are added and removed in one transaction would not be written.
    func probe(bytes count: Int) throws {
        try database.write { database in
            try database.execute(sql: "INSERT INTO probe (bytes) VALUES (zeroblob(?))", arguments: [count])
        }
        try database.write { try $0.execute(sql: "DELETE FROM probe") }
    }
}
