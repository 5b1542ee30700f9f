import Base
import FoundationEssentials
import HTTPCaching
import NotificationModel

extension ArchiveRecord.Response {
    /// The range of a date in microseconds since 1970, which covers about 2,280 years.
    private static let dates = 0...(1 << 56)
    private static let sizes = 0...(1 << 40)

    init(_ fields: RecordFields) throws(RecordProblem) {
        try fields.checkKeys([
            "type", "id", "key", "status", "fields", "requestFields", "requestTime", "responseTime", "storedFrom",
            "bodyBytes", "completeLength", "body",
        ])
        let start = try fields.integer("storedFrom", in: Self.sizes)
        let end = start + (try fields.integer("bodyBytes", in: Self.sizes))
        let length = try fields.optionalInteger("completeLength", in: end...(1 << 42))
        response = StoredResponse(
            id: try Self.id(fields), key: try Self.key(fields), method: "GET",
            requestFields: FieldLines(try fields.bytes("requestFields")).fields,
            head: ResponseHead(
                status: try fields.integer("status", in: 200...599), lines: FieldLines(try fields.bytes("fields"))),
            requestTime: try Self.date("requestTime", fields), responseTime: try Self.date("responseTime", fields),
            storedBytes: start..<end, completeLength: length)
        body = try fields.optionalText("body") == nil ? nil : try fields.digest("body")
        guard body != nil || response.storedBytes.isEmpty else { throw RecordProblem("it has no body") }
    }

    var json: JSONValue {
        [
            "type": "response", "id": .string(response.id), "key": .string(response.key),
            "status": .number(JSONNumber(response.head.status)),
            "fields": Self.base64(response.head.lines.bytes),
            "requestFields": Self.base64(FieldLines(response.requestFields).bytes),
            "requestTime": Self.microseconds(response.requestTime),
            "responseTime": Self.microseconds(response.responseTime),
            "storedFrom": .number(JSONNumber(response.storedBytes.lowerBound)),
            "bodyBytes": .number(JSONNumber(response.storedBytes.count)),
            "completeLength": response.completeLength.map { .number(JSONNumber($0)) } ?? .null,
            "body": body.map { .string($0) } ?? .null,
        ]
    }

    /// Returns an id of letters, digits and dashes, which is the form that the cache gives to ids.
    private static func id(_ fields: RecordFields) throws(RecordProblem) -> String {
        let id = try fields.text("id", most: 64)
        guard id.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) else { throw RecordProblem("id is not valid") }
        return id
    }

    /// Returns a URL of http or https, which a blank and a digest of credentials may follow.
    private static func key(_ fields: RecordFields) throws(RecordProblem) -> String {
        let key = try fields.text("key", most: 9_000)
        let parts = key.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count <= 2, ["https://", "http://"].contains(where: key.hasPrefix), PurgeTarget.host(of: key) != nil
        else { throw RecordProblem("key is not a URL") }
        return key
    }

    private static func date(_ key: String, _ fields: RecordFields) throws(RecordProblem) -> Date {
        Date(timeIntervalSince1970: Double(try fields.integer(key, in: dates)) / 1e6)
    }

    private static func microseconds(_ date: Date) -> JSONValue {
        .number(JSONNumber(max(0, Int((date.timeIntervalSince1970 * 1e6).rounded()))))
    }

    private static func base64(_ bytes: [UInt8]) -> JSONValue { .string(Data(bytes).base64EncodedString()) }
}
