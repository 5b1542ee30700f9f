import Foundation
import GRDB
import HTTPCaching
import HTTPTypes

extension CacheEntry {
    /// - Returns: `nil` where something of it is not what it has to be: the file was changed by another hand.
    init?(_ row: Row) {
        func value<Value: DatabaseValueConvertible>(_ column: String) -> Value? { Value.fromDatabaseValue(row[column]) }
        guard let id: String = value("id"), let key: String = value("key"), let method: String = value("method"),
            let status: Int = value("status"), let fields: Data = value("fields"),
            let requestFields: Data = value("requestFields"), let requestTime: Double = value("requestTime"),
            let responseTime: Double = value("responseTime"), let start: Int = value("storedFrom"),
            let byteCount: Int = value("bodyBytes"), let storedBytes = Self.range(from: start, byteCount),
            (200...599).contains(status), Self.isDate(requestTime), Self.isDate(responseTime)
        else { return nil }
        let completeLength: Int? = value("completeLength")
        let isLengthTold = !(row["completeLength"] as DatabaseValue).isNull
        guard isLengthTold == (completeLength.map { $0 >= storedBytes.upperBound } ?? false) else { return nil }
        response = StoredResponse(
            id: id, key: key, method: method, requestFields: FieldLines(Array(requestFields)).fields,
            head: ResponseHead(status: status, lines: FieldLines(Array(fields))),
            requestTime: Date(timeIntervalSinceReferenceDate: requestTime),
            responseTime: Date(timeIntervalSinceReferenceDate: responseTime), storedBytes: storedBytes,
            completeLength: completeLength)
        headByteCount = fields.count + requestFields.count
        if let name: String = value("file"), let digest: Data = value("digest"), let boot: String = value("boot") {
            body = Body(name: name, digest: Array(digest), boot: boot)
        }
    }

    /// Some thousand years around now: what is counted from it has room in a number.
    private static func isDate(_ seconds: Double) -> Bool { abs(seconds) < 1e11 }

    private static func range(from start: Int, _ count: Int) -> Range<Int>? {
        let (end, overflow) = start.addingReportingOverflow(count)
        return start >= 0 && count >= 0 && !overflow ? start..<end : nil
    }
}
