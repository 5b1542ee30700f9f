package import Base
import FoundationEssentials
import NotificationModel

/// The items and outcomes as lines of JSON between `appgroupd warm --via` and a daemon (`POST /v1/warm`).
///
/// A line has a `url` or a `payload`. It also has `profiles`, `group`, `keepUntil` (RFC 3339) and `budget` (`30s`) if
/// the daemon's own values must not be used. A response line has the `line`, the `result` (`warm`, `failed` or `empty`)
/// and the `media`. If the line is not an item, the result is `failed`, and there is a `problem` instead of the media.
package enum WarmWire {
    package static func json(of item: WarmItem, budget: Duration) -> JSONValue {
        var object = JSONObject()
        switch item.request {
        case .url(let url): object.append("url", .string(url))
        case .payload(let payload): object.append("payload", .object(payload))
        }
        object.append("profiles", .array(item.profiles.map { .string($0.name) }))
        object.append("group", .string(item.appGroup.description))
        if let date = item.keepUntil { object.append("keepUntil", .timestamp(date)) }
        object.append("budget", .string("\(max(1, Int(budget.milliseconds)))ms"))
        return .object(object)
    }

    // MARK: Lines of the response

    package static func json(of outcome: WarmOutcome, line: Int) -> JSONValue {
        [
            "line": .number(line), "result": .string(WarmRecord.Result(of: outcome).rawValue),
            "media": .array(outcome.media.map(json)),
        ]
    }

    /// Returns the response to a line that is not an item.
    static func json(problem: String, line: Int) -> JSONValue {
        ["line": .number(line), "result": .string(WarmRecord.Result.failed.rawValue), "problem": .string(problem)]
    }

    private static func json(of item: WarmOutcome.MediaItem) -> JSONValue {
        [
            "url": .string(shortened(item.url)), "profile": .string(item.profile),
            "reason": .text(item.failure?.reason.rawValue), "detail": .text(item.failure?.detail),
            "cache": .text(item.cache?.rawValue), "sourceBytes": .number(item.sourceBytes),
            "renditionBytes": .number(item.renditionBytes),
            "retryAfterMs": item.retryAfter.map { .number(Int($0.milliseconds)) } ?? .null, "kept": .bool(item.isKept),
        ]
    }

    /// Returns a URL with at most the length that the fetcher accepts. URLs of payloads may be longer.
    private static func shortened(_ url: String) -> String {
        String(decoding: url.utf8.prefix(WarmEntryFields.maxURL), as: UTF8.self)
    }

    /// Parses a response; `nil` if the value is not a response.
    package static func outcome(of value: JSONValue) -> WarmOutcome? {
        guard let media = value["media"]?.array else {
            return value["problem"]?.string.map { problem in
                WarmOutcome([.init(url: "", profile: "", failure: MediaFailure(.invalidPayload, problem))])
            }
        }
        return WarmOutcome(media.map(item))
    }

    private static func item(of value: JSONValue) -> WarmOutcome.MediaItem {
        var item = WarmOutcome.MediaItem(url: value["url"]?.string ?? "", profile: value["profile"]?.string ?? "")
        if let reason = value["reason"]?.string {
            item.failure = MediaFailure(DegradationReason(rawValue: reason) ?? .internal, value["detail"]?.string ?? "")
        }
        item.cache = value["cache"]?.string.flatMap { CacheStatus(rawValue: $0) }
        item.sourceBytes = value["sourceBytes"]?.count ?? 0
        item.renditionBytes = value["renditionBytes"]?.count ?? 0
        if let pause = value["retryAfterMs"], pause != .null { item.retryAfter = .milliseconds(pause.count) }
        item.isKept = value["kept"]?.bool ?? false
        return item
    }
}
