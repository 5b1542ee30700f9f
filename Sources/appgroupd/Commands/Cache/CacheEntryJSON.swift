import FoundationEssentials
import HTTPCaching
import JSON
import NotificationModel
import StoreTools

/// The JSON of entries in the stores, for `cache ls` and `cache show`.
extension ListedResponse {
    /// Returns the time for which the response stays fresh, in whole seconds. The number is negative if the response is
    /// stale.
    func freshSeconds(at now: Date, _ policy: CachingPolicy) -> Int {
        Int(max(-1e12, min(1e12, response.freshFor(from: now, policy: policy))).rounded(.down))
    }

    func json(at now: Date, _ policy: CachingPolicy) -> JSONObject {
        [
            "id": .string(response.id), "url": .string(url), "credentials": .bool(hasCredentials),
            "status": .number(JSONNumber(response.head.status)), "type": type.map { .string($0) } ?? .null,
            "bytes": .number(JSONNumber(bytes)), "complete": .bool(response.isWhole || path == nil),
            "storedAt": .string(EntryTime.text(of: response.responseTime)),
            "usedAt": .string(EntryTime.text(of: usedAt)),
            "freshForSeconds": .number(JSONNumber(freshSeconds(at: now, policy))),
            "path": path.map { .string($0) } ?? .null,
        ]
    }
}

extension ListedFile {
    /// Returns the date at which the file's pins end. Returns `nil` if the file has no pin, or if all its pins have
    /// ended.
    func pinEnd(at now: Date) -> Date? { pinnedUntil.flatMap { $0 > now ? $0 : nil } }

    func json(at now: Date) -> JSONObject {
        [
            "appGroup": .string(group.description), "sha256": .string(digest), "path": .string(path),
            "type": .string(mimeType), "bytes": .number(JSONNumber(bytes)),
            "usedAt": .string(EntryTime.text(of: usedAt)),
            "leasedUntil": leasedUntil > now ? .string(EntryTime.text(of: leasedUntil)) : .null,
            "pinnedUntil": pinEnd(at: now).map { .string(EntryTime.text(of: $0)) } ?? .null,
        ]
    }
}

/// The RFC 3339 form of an entry's time, to the second.
enum EntryTime {
    static func text(of date: Date) -> String { date.formatted(Date.ISO8601FormatStyle()) }
}
