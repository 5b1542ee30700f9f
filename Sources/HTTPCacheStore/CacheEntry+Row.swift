import Foundation
import GRDB
import HTTPCaching
import HTTPTypes
import SQLiteFiles

extension CacheEntry {
    /// Reads an entry from its row.
    ///
    /// - Returns: `nil` if a value is not valid, because something other than this program changed the file.
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
