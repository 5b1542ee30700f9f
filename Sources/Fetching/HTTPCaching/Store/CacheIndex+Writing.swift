import Foundation
import GRDB
import NotificationModel
import SQLiteFiles

/// The changes of the index, as values that share a transaction.
extension CacheIndex {
    enum Change: Sendable {
        case insert(CacheEntry, SerializedHead)
        case update(StoredResponse, SerializedHead)
        case remove(ids: [String])
        case removeAll(key: String)
        /// Removes the row that names a file, if there is such a row.
        case removeFile(String)
        /// Records that the bytes were read in this boot and match their checksum.
        case verified(file: String, boot: String)

        /// The key whose lookups may give another result after the change is written; `nil` if it may be any key.
        var key: String? {
            switch self {
            case .insert(let entry, _): entry.response.key
            case .update(let response, _): response.key
            case .removeAll(let key): key
            case .remove, .removeFile, .verified: nil
            }
        }
    }

    /// The effect of a transaction.
    struct Written {
        /// The files that no row names any more.
        var files: [String] = []
        /// The ids of the responses that were evicted to stay within the limits.
        var evicted: [String] = []
        /// Whether the cache still exceeds its limits.
        var isOverQuota = false
    }

    /// The maximum number of rows that one transaction evicts.
    private static let step = 128

    /// Makes changes in one transaction, and evicts responses beyond the limits. `uses` has the times of the last use
    /// by the ids of responses. All times are in microseconds since 1970.
    func write(
        _ changes: [Change], uses: [String: Int64], within limits: ResponseCacheLimits, at now: Int64
    ) throws -> Written {
        try database.write { database in
            var written = Written()
            for change in changes { try Self.make(change, at: now, in: database, &written) }
            let statement = try database.cachedStatement(
                sql: "UPDATE response SET usedAt = max(usedAt, ?) WHERE id = ?")
            for (id, use) in uses { try statement.execute(arguments: [use, id]) }
            try Self.evict(within: limits, in: database, &written)
            return written
        }
    }

    private static func make(_ change: Change, at now: Int64, in database: Database, _ written: inout Written) throws {
        switch change {
        case .insert(let entry, let text):
            // The insertion is tried without a lookup, because the index rarely has the id of a new response.
            do { try insert(entry, text, at: now, in: database) } catch let error as DatabaseError
                where error.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY
            {
                try remove([entry.response.id], in: database, &written)
                try insert(entry, text, at: now, in: database)
            }
        case .update(let response, let text):
            try update(response, text, at: now, in: database)
        case .remove(let ids):
            try remove(ids, in: database, &written)
        case .removeAll(let key):
            let statement = try database.cachedStatement(sql: "DELETE FROM response WHERE key = ? RETURNING file")
            written.files += try String?.fetchAll(statement, arguments: [key]).compactMap(\.self)
        case .removeFile(let name):
            try database.cachedStatement(sql: "DELETE FROM response WHERE file = ?").execute(arguments: [name])
            written.files.append(name)
        case .verified(let name, let boot):
            try database.cachedStatement(sql: "UPDATE response SET boot = ? WHERE file = ?")
                .execute(arguments: [boot, name])
        }
    }

    private static func insert(
        _ entry: CacheEntry, _ text: SerializedHead, at now: Int64, in database: Database
    ) throws {
        let response = entry.response
        try database.cachedStatement(
            sql: """
                INSERT INTO response (
                    id, key, method, status, fields, requestFields, requestTime, responseTime, usedAt, bytes,
                    storedFrom, bodyBytes, completeLength, file, checksum, boot)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            response.id, response.key, response.method, response.head.status, text.fields, text.requestFields,
            response.requestTime.timeIntervalSinceReferenceDate, response.responseTime.timeIntervalSinceReferenceDate,
            now, entry.byteCount, response.storedBytes.lowerBound, response.storedBytes.count,
            response.completeLength, entry.body?.name, entry.body.map { Int64(bitPattern: $0.checksum) },
            entry.body?.boot,
        ])
    }

    private static func update(
        _ response: StoredResponse, _ text: SerializedHead, at now: Int64, in database: Database
    ) throws {
        try database.cachedStatement(
            sql: """
                UPDATE response SET method = ?, status = ?, fields = ?, requestFields = ?, requestTime = ?,
                    responseTime = ?, bytes = bodyBytes + ?, completeLength = ?, usedAt = max(usedAt, ?)
                WHERE id = ?
                """
        ).execute(arguments: [
            response.method, response.head.status, text.fields, text.requestFields,
            response.requestTime.timeIntervalSinceReferenceDate, response.responseTime.timeIntervalSinceReferenceDate,
            text.byteCount, response.completeLength, now, response.id,
        ])
    }

    private static func remove(_ ids: [String], in database: Database, _ written: inout Written) throws {
        let statement = try database.cachedStatement(sql: "DELETE FROM response WHERE id = ? RETURNING file")
        for id in ids { written.files += try String?.fetchAll(statement, arguments: [id]).compactMap(\.self) }
    }

    /// Evicts the least recently used responses.
    private static func evict(
        within limits: ResponseCacheLimits, in database: Database, _ written: inout Written
    ) throws {
        var totals = try totals(database)
        guard totals.entries > limits.entries || totals.bytes > limits.quota else { return }
        let statement = try database.cachedStatement(
            sql: "SELECT id, bytes FROM response ORDER BY usedAt, rowid LIMIT ?")
        var evicted: [String] = []
        for row in try Row.fetchAll(statement, arguments: [step])
        where totals.entries > limits.entries || totals.bytes > limits.quota {
            evicted.append(try row.sound("id"))
            totals.entries -= 1
            totals.bytes -= max(0, try row.sound("bytes"))
        }
        try remove(evicted, in: database, &written)
        written.evicted = evicted
        written.isOverQuota = totals.entries > limits.entries || totals.bytes > limits.quota
    }
}

/// The header fields of a response as the index stores them. Each field is a line of HTTP/1.1 (RFC 9112 §5).
struct SerializedHead: Sendable {
    let fields: Data
    let requestFields: Data

    init(_ response: StoredResponse) {
        fields = Data(response.head.lines.bytes)
        requestFields = Data(FieldLines(response.requestFields).bytes)
    }

    var byteCount: Int { fields.count + requestFields.count }
}
