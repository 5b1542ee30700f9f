import Foundation
import GRDB
import HTTPTypes
import SQLiteFiles

/// A stored response: its headers, and the file of its body.
package struct CacheEntry: Sendable, Equatable {
    package struct Body: Sendable, Equatable {
        /// The name of the file. Unlike the response's id, a name is never used again. Therefore, a name always means
        /// the same bytes, even if another process replaces the response.
        package let name: String
        /// The checksum of the bytes (`Checksum`).
        package let checksum: UInt64
        /// The boot in which the bytes were written or compared with the checksum. The bytes are not synced, and after
        /// a power cut a file may have its length without its bytes.
        package var boot: String
    }

    package var response: StoredResponse
    /// The file of the body; `nil` if the response is stored without a body.
    package var body: Body?
    /// The number of bytes of the serialized headers.
    var headByteCount: Int

    package var byteCount: Int { response.storedBytes.count + headByteCount }
    /// The approximate memory of the entry, in bytes. The lines are stored as in the index, and the name and value of
    /// each field have one allocation each.
    var memoryByteCount: Int { 512 + 3 * headByteCount }

    /// Returns whether one response is newer than another. Lists begin with the newest response.
    static func isBefore(_ left: CacheEntry, _ right: CacheEntry) -> Bool {
        left.response.responseTime > right.response.responseTime
    }
}

extension CacheEntry {
    /// Reads an entry from its row; returns `nil` if another program has written a value that is not valid.
    init?(_ row: Row) {
        guard let id: String = row.value(of: "id"), let key: String = row.value(of: "key"),
            let method: String = row.value(of: "method"), let status: Int = row.value(of: "status"),
            let fields: Data = row.value(of: "fields"), let requestFields: Data = row.value(of: "requestFields"),
            let requestTime: Double = row.value(of: "requestTime"),
            let responseTime: Double = row.value(of: "responseTime"), let start: Int = row.value(of: "storedFrom"),
            let byteCount: Int = row.value(of: "bodyBytes"), let storedBytes = Self.range(from: start, byteCount),
            (200...599).contains(status), Self.isDate(requestTime), Self.isDate(responseTime)
        else { return nil }
        let completeLength: Int? = row.value(of: "completeLength")
        guard (row["completeLength"] as DatabaseValue).isNull || (completeLength ?? -1) >= storedBytes.upperBound else {
            return nil
        }
        response = StoredResponse(
            id: id, key: key, method: method, requestFields: FieldLines(Array(requestFields)).fields,
            head: ResponseHead(status: status, lines: FieldLines(Array(fields))),
            requestTime: Date(timeIntervalSinceReferenceDate: requestTime),
            responseTime: Date(timeIntervalSinceReferenceDate: responseTime), storedBytes: storedBytes,
            completeLength: completeLength)
        headByteCount = fields.count + requestFields.count
        if let name: String = row.value(of: "file"), let checksum: Int64 = row.value(of: "checksum"),
            let boot: String = row.value(of: "boot")
        {
            body = Body(name: name, checksum: UInt64(bitPattern: checksum), boot: boot)
        }
    }

    /// Returns whether a time is within about 3,000 years of 2001, so that calculations with it do not overflow.
    private static func isDate(_ seconds: Double) -> Bool { abs(seconds) < 1e11 }

    private static func range(from start: Int, _ count: Int) -> Range<Int>? {
        let (end, overflow) = start.addingReportingOverflow(count)
        return start >= 0 && count >= 0 && !overflow ? start..<end : nil
    }
}
