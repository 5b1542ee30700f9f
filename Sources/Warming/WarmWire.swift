import FoundationEssentials
package import JSON
import NotificationModel

/// Items and outcomes as lines of JSON between `appgroupd warm --via` and a daemon (`POST /v1/warm`).
///
/// A line asks for `{"url"}` or `{"payload"}`, with `profiles`, `group`, `keepUntil` (RFC 3339) and `budget` (`30s`) where
/// the daemon's own are not meant. An answer has the `line`, the `result` (`warm`, `failed` or `empty`) and the `media`. For
/// a line that is no item, the result is `failed` and there is a `problem` in place of the media.
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

    // MARK: Answers

    package static func json(of outcome: WarmOutcome, line: Int) -> JSONValue {
        [
            "line": .number(JSONNumber(line)), "result": .string(WarmRecord.Result(of: outcome).rawValue),
            "media": .array(outcome.media.map(json)),
        ]
    }

    /// The answer to a line that is no item.
    static func json(problem: String, line: Int) -> JSONValue {
        [
            "line": .number(JSONNumber(line)), "result": .string(WarmRecord.Result.failed.rawValue),
            "problem": .string(problem),
        ]
    }

    private static func json(of medium: WarmOutcome.Medium) -> JSONValue {
        [
            "url": .string(shortened(medium.url)), "profile": .string(medium.profile),
            "reason": .text(medium.failure?.reason.rawValue), "detail": .text(medium.failure?.detail),
            "cache": .text(medium.cache?.rawValue), "sourceBytes": .number(JSONNumber(medium.sourceBytes)),
            "renditionBytes": .number(JSONNumber(medium.renditionBytes)),
            "retryAfterMs": medium.retryAfter.map { .number(JSONNumber(Int($0.milliseconds))) } ?? .null,
            "kept": .bool(medium.isKept),
        ]
    }

    /// URLs of payloads may be longer than the fetcher takes.
    private static func shortened(_ url: String) -> String {
        guard url.utf8.count > WarmEntryFields.longestURL else { return url }
        return String(decoding: url.utf8.prefix(WarmEntryFields.longestURL), as: UTF8.self)
    }

    /// Reads an answer; `nil` if it is none.
    package static func outcome(of value: JSONValue) -> WarmOutcome? {
        guard let media = value["media"]?.array else {
            return value["problem"]?.string.map { problem in
                WarmOutcome([.init(url: "", profile: "", failure: MediaFailure(.invalidPayload, problem))])
            }
        }
        return WarmOutcome(media.map(medium))
    }

    private static func medium(of value: JSONValue) -> WarmOutcome.Medium {
        var medium = WarmOutcome.Medium(url: value["url"]?.string ?? "", profile: value["profile"]?.string ?? "")
        if let reason = value["reason"]?.string {
            medium.failure = MediaFailure(
                DegradationReason(rawValue: reason) ?? .internal, value["detail"]?.string ?? "")
        }
        medium.cache = value["cache"]?.string.flatMap { CacheStatus(rawValue: $0) }
        medium.sourceBytes = value["sourceBytes"]?.count ?? 0
        medium.renditionBytes = value["renditionBytes"]?.count ?? 0
        if let pause = value["retryAfterMs"], pause != .null { medium.retryAfter = .milliseconds(pause.count) }
        medium.isKept = value["kept"]?.bool ?? false
        return medium
    }
}
