import AppGroupStore
import FoundationEssentials
import HTTPCaching
import JSON
import NotificationModel

/// Entries of the stores as `cache ls` and `cache show` print them in JSON.
extension ListedResponse {
    /// How long the response is fresh, in whole seconds; negative if it is stale.
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
    /// The date of the pins that have not ended; `nil` if there are none.
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

/// Times of entries, as RFC 3339 writes them, to the second.
enum EntryTime {
    static func text(of date: Date) -> String { date.formatted(Date.ISO8601FormatStyle()) }
}
