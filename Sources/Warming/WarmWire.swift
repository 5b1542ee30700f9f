package import FoundationEssentials
package import JSON
package import NotificationModel

/// Items and outcomes as lines of JSON between `appgroupd warm --via` and a daemon (`POST /v1/warm`).
///
/// A line asks for `{"url"}` or `{"payload"}`, with `profiles`, `group`, `keepUntil` (RFC 3339) and `budget` (`30s`) where
/// the daemon's own are not meant. An answer has the `line`, the `result` (`warm`, `failed` or `empty`) and the `media`.
package enum WarmWire {
    /// The keys of a line.
    static let keys = ["url", "payload", "profiles", "group", "keepUntil", "budget"]

    /// Values of lines that do not name their own.
    package struct Defaults: Sendable {
        package var profiles: [MediaProfile]
        package var appGroup: AppGroupName
        package var budget: Duration
        /// Returns the first URL that a payload would be fetched from; `nil` if there is none.
        package var payloadURL: @Sendable (JSONObject) -> String?

        package init(
            profiles: [MediaProfile], appGroup: AppGroupName = .default, budget: Duration,
            payloadURL: @escaping @Sendable (JSONObject) -> String?
        ) {
            self.profiles = profiles
            self.appGroup = appGroup
            self.budget = budget
            self.payloadURL = payloadURL
        }
    }

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

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - place: the place of the item in messages.
    ///   - now: an item is kept until a later date only.
    ///   - date: reads a date of RFC 3339.
    /// - Throws: `WarmProblem`, with the key that is wrong.
    package static func item(
        of object: JSONObject, at place: String, defaults: Defaults, now: Date, date: (String) -> Date?
    ) throws(WarmProblem) -> (item: WarmItem, budget: Duration) {
        func problem(_ key: String, _ text: String) -> WarmProblem {
            WarmProblem(place: place, text: "\(VisibleText.short(key, most: 64)): \(text)")
        }
        if let stranger = object.keys.first(where: { !keys.contains($0) }) {
            let hint = NearestWord.nearest(to: stranger, among: keys).map { "did you mean \($0)?" }
            throw problem(stranger, "is no key here: \(hint ?? "the keys are \(keys.joined(separator: ", "))")")
        }
        let request: WarmItem.Request
        switch (object["url"], object["payload"]) {
        case (.string(let url)?, nil): request = .url(url)
        case (nil, .object(let payload)?): request = .payload(payload)
        default: throw problem("url", "must be a string, or payload an object, and not both")
        }
        var profiles = defaults.profiles
        if let value = object["profiles"] {
            let named = value.array?.compactMap { $0.string.flatMap(MediaProfile.named) } ?? []
            guard !named.isEmpty, named.count == value.array?.count else {
                let known = MediaProfile.all.map(\.name).joined(separator: ", ")
                throw problem("profiles", "must be an array of: \(known)")
            }
            profiles = named
        }
        func read<Value>(
            _ key: String, _ expected: String, else fallback: Value, _ parse: (String) -> Value?
        ) throws(WarmProblem) -> Value {
            guard let value = object[key] else { return fallback }
            guard let parsed = value.string.flatMap(parse) else { throw problem(key, "must be \(expected)") }
            return parsed
        }
        let group = try read("group", "1 to 128 letters, digits, dots and dashes", else: defaults.appGroup) {
            AppGroupName($0)
        }
        let keepUntil: Date? = try read("keepUntil", "a time as 2026-01-31T12:00:00Z", else: nil) { date($0) }
        if let keepUntil, keepUntil <= now { throw problem("keepUntil", "must be in the future") }
        let budget = try read("budget", "a duration up to an hour, as 30s", else: defaults.budget) { text in
            DurationText.parse(text).flatMap { $0 > .zero && $0 <= TimeBudget.longest ? $0 : nil }
        }
        let url =
            switch request {
            case .url(let url): url
            case .payload(let payload): defaults.payloadURL(payload) ?? ""
            }
        return (
            WarmItem(
                request, profiles: profiles, appGroup: group, keepUntil: keepUntil, place: place,
                host: MediaHost.of(url)), budget
        )
    }

    // MARK: Answers

    package static func json(of outcome: WarmOutcome, line: Int) -> JSONValue {
        [
            "line": .number(JSONNumber(line)), "result": .string(WarmRecord.Result(of: outcome).rawValue),
            "media": .array(outcome.media.map(json)),
        ]
    }

    private static func json(of medium: WarmOutcome.Medium) -> JSONValue {
        [
            "url": .string(medium.url), "profile": .string(medium.profile),
            "reason": .text(medium.failure?.reason.rawValue), "detail": .text(medium.failure?.detail),
            "cache": .text(medium.cache?.rawValue), "sourceBytes": .number(JSONNumber(medium.sourceBytes)),
            "renditionBytes": .number(JSONNumber(medium.renditionBytes)),
            "retryAfterMs": medium.retryAfter.map { .number(JSONNumber(Int($0.milliseconds))) } ?? .null,
            "kept": .bool(medium.isKept),
        ]
    }

    /// Reads an answer; `nil` if it is none.
    package static func outcome(of value: JSONValue) -> WarmOutcome? {
        guard let media = value["media"]?.array else { return nil }
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
