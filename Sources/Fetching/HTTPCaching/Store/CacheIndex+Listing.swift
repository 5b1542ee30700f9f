import Base
package import GRDB
package import NotificationModel
import SQLiteFiles

extension CacheIndex {
    /// A row of the index, with the values that can be read.
    package struct ListedRow: Equatable {
        package var number: Int64
        package var id: String
        /// The response of the row; `nil` if a value of the row is not valid.
        package var entry: CacheEntry?
        /// The name of the body's file, as the row contains it.
        package var file: String?
        /// The size of the response according to the row, in bytes.
        package var bytes: Int
        /// The time of the last use, in microseconds since 1970.
        package var usedAt: Int64

        fileprivate init(_ row: Row) throws {
            number = try row.sound("number")
            id = row.value(of: "id") ?? ""
            entry = CacheEntry(row)
            file = row.value(of: "file")
            bytes = row.value(of: "bytes") ?? -1
            usedAt = row.value(of: "usedAt") ?? 0
        }

        /// Compares two readings of a row. The time of use is ignored, because it changes while the row stays the same.
        package static func == (one: ListedRow, other: ListedRow) -> Bool {
            one.id == other.id && one.entry == other.entry && one.file == other.file && one.bytes == other.bytes
        }
    }

    /// The number of rows that are read in one transaction.
    private static let page = 256

    /// Calls `body` with every row. Other processes can write between two pages of rows.
    package func forEachRow(_ body: (ListedRow) throws -> Void) throws {
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

    /// Returns the row with a number; `nil` if the row was deleted.
    package func row(_ number: Int64) throws -> ListedRow? { try row(where: "rowid = ?", [number]) }

    /// Returns the row of a response; `nil` if there is no such response.
    package func listed(_ id: String) throws -> ListedRow? { try row(where: "id = ?", [id]) }

    private func row(where condition: String, _ arguments: StatementArguments) throws -> ListedRow? {
        try database.read { database in
            try Row.fetchOne(
                database, sql: "SELECT rowid AS number, * FROM response WHERE \(condition)", arguments: arguments
            ).map(ListedRow.init)
        }
    }

    /// Returns whether a row names a file.
    package func names(file: String) throws -> Bool {
        try database.read { database in
            try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM response WHERE file = ?)", arguments: [file]) ?? false
        }
    }

    /// Returns the totals, counted row by row.
    package static func counted(_ database: Database) throws -> Totals {
        let row = try Row.fetchOne(
            database, sql: "SELECT count(*) AS entries, coalesce(sum(bytes), 0) AS bytes FROM response")
        return Totals(entries: try row?.sound("entries") ?? 0, bytes: try row?.sound("bytes") ?? 0)
    }
}

/// The queries of purges. A key of the cache is a URL, which a blank and a digest of credentials may follow.
extension CacheIndex {
    /// Returns the ids of the responses that come from a target.
    package func ids(matching target: PurgeTarget) throws -> [String] {
        try database.read { database in
            switch target {
            case .url(let url):
                let own = try String.fetchAll(database, sql: "SELECT id FROM response WHERE key = ?", arguments: [url])
                return try own + Self.ids(ofKeysFrom: url + " ", in: database)
            case .host(let host):
                let host = HostAndPort.bracketed(host)
                return try ["https", "http"].flatMap { scheme in
                    try ["/", ":"].flatMap { try Self.ids(ofKeysFrom: "\(scheme)://\(host)\($0)", in: database) }
                }
            case .prefix(let prefix):
                return try Self.ids(ofKeysFrom: prefix, in: database)
            }
        }
    }

    /// Returns the ids of the responses whose keys begin with a prefix. Keys are printable ASCII, so the prefix
    /// followed by DEL sorts after all of them.
    private static func ids(ofKeysFrom prefix: String, in database: Database) throws -> [String] {
        try String.fetchAll(
            database, sql: "SELECT id FROM response WHERE key >= ? AND key < ?", arguments: [prefix, prefix + "\u{7F}"])
    }

    /// Returns the ids from a set that have a response in the cache.
    func stored(_ ids: Set<String>) throws -> Set<String> {
        try database.read { database in
            let statement = try database.cachedStatement(sql: "SELECT id FROM response WHERE id = ?")
            return try ids.filter { try String.fetchOne(statement, arguments: [$0]) != nil }
        }
    }
}
