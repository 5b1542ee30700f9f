import GRDB

extension CacheIndex {
    /// A row of the index, as far as it can be read.
    struct ListedRow: Equatable {
        var number: Int64
        var id: String
        /// `nil` for a row that is not what was written.
        var entry: CacheEntry?
        /// Name of the body's file, as the row has it.
        var file: String?
        /// Bytes that the row counts for.
        var bytes: Int
        /// Microseconds since 1970.
        var usedAt: Int64

        fileprivate init(_ row: Row) throws {
            number = try row.sound("number")
            id = row.value(of: "id") ?? ""
            entry = CacheEntry(row)
            file = row.value(of: "file")
            bytes = row.value(of: "bytes") ?? -1
            usedAt = row.value(of: "usedAt") ?? 0
        }

        /// Uses do not count: they go on while the row stays the same.
        static func == (one: ListedRow, other: ListedRow) -> Bool {
            one.id == other.id && one.entry == other.entry && one.file == other.file && one.bytes == other.bytes
        }
    }

    /// Rows that are read in one transaction.
    private static let page = 256

    /// Calls `body` with every row. Between two pages, others write.
    func forEachRow(_ body: (ListedRow) throws -> Void) throws {
        var last: Int64 = .min
        while true {
            let rows = try database.read { database in
                try Row.fetchAll(
                    database, sql: "SELECT rowid AS number, * FROM response WHERE rowid > ? ORDER BY rowid LIMIT ?",
                    arguments: [last, Self.page]
                ).map(ListedRow.init)
            }
            guard let end = rows.last else { return }
            last = end.number
            for row in rows { try body(row) }
        }
    }

    /// - Returns: `nil` if it is gone.
    func row(_ number: Int64) throws -> ListedRow? {
        try database.read { database in
            try Row.fetchOne(
                database, sql: "SELECT rowid AS number, * FROM response WHERE rowid = ?", arguments: [number]
            ).map(ListedRow.init)
        }
    }

    /// - Returns: `nil` if there is no such response.
    func listed(_ id: String) throws -> ListedRow? {
        try database.read { database in
            try Row.fetchOne(
                database, sql: "SELECT rowid AS number, * FROM response WHERE id = ?", arguments: [id]
            ).map(ListedRow.init)
        }
    }

    /// Whether a row has a file.
    func names(file: String) throws -> Bool {
        try database.read { database in
            try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM response WHERE file = ?)", arguments: [file]) ?? false
        }
    }

    /// The totals, counted row by row.
    static func counted(_ database: Database) throws -> Totals {
        let row = try Row.fetchOne(
            database, sql: "SELECT count(*) AS entries, coalesce(sum(bytes), 0) AS bytes FROM response")
        return Totals(entries: try row?.sound("entries") ?? 0, bytes: try row?.sound("bytes") ?? 0)
    }
}
