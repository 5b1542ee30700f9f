package import Base
package import FoundationEssentials
package import NotificationModel

/// A reader for items that are objects with keys: the lines of an NDJSON source and of `POST /v1/warm`.
package struct WarmEntryReader: Sendable {
    package enum Form: Sendable {
        /// A line of a source, which has a URL.
        case source
        /// A line of a call, which has a URL or a payload, and may have a budget.
        case call

        var keys: [String] {
            switch self {
            case .source: ["url", "profile", "profiles", "group", "keepUntil"]
            case .call: ["url", "payload", "profiles", "group", "keepUntil", "budget"]
            }
        }

        fileprivate var times: String {
            switch self {
            case .source: "a duration, such as 14d, or a time, such as 2026-01-31T12:00:00Z"
            case .call: "a time, such as 2026-01-31T12:00:00Z"
            }
        }
    }

    /// The default values for keys that an item does not have.
    package struct Defaults: Sendable {
        package var profiles: [MediaProfile]
        package var appGroup: AppGroupName = .default
        package var keepUntil: Date?
        package var budget: Duration
    }

    let form: Form
    let defaults: Defaults
    /// The current date. A date in `keepUntil` must be later.
    let now: Date
    /// Parses the text of `keepUntil`.
    let date: @Sendable (String) -> Date?
    /// Returns the first URL that would be fetched for a payload; `nil` if there is no URL.
    let payloadURL: @Sendable (JSONObject) -> String?

    /// Returns the item of a payload, with the default values.
    package func item(payload: JSONObject, at place: String) -> WarmItem { item(.payload(payload), at: place) }

    /// Returns the item of a URL, with the default values.
    package func item(url: String, at place: String) -> WarmItem { item(.url(url), at: place) }

    private func item(_ request: WarmItem.Request, at place: String) -> WarmItem {
        WarmItem(
            request, profiles: defaults.profiles, appGroup: defaults.appGroup, keepUntil: defaults.keepUntil,
            place: place, host: host(of: request))
    }

    /// Reads the item and the budget of an object. Throws a `WarmProblem` with the place, which names the invalid key.
    package func entry(
        of object: JSONObject, at place: String
    ) throws(WarmProblem) -> (item: WarmItem, budget: Duration) {
        let fields = WarmEntryFields(object: object, place: place)
        try fields.checkKeys(form.keys)
        let request = try fields.request(form)
        let keep = try fields.value("keepUntil", "must be \(form.times)") { text in date(text).map { (text, $0) } }
        if let keep, keep.1 <= now { throw fields.problem("keepUntil", "must be in the future") }
        let group = try fields.value("group", "must be 1 to 128 letters, digits, dots and dashes") { AppGroupName($0) }
        let budget = try fields.value("budget", "must be a duration up to an hour, such as 30s") { text in
            DurationText.parse(text).flatMap { $0 > .zero && $0 <= TimeBudget.maximum ? $0 : nil }
        }
        let item = WarmItem(
            request, profiles: try fields.profiles() ?? defaults.profiles, appGroup: group ?? defaults.appGroup,
            keepUntil: keep?.1 ?? defaults.keepUntil, keep: keep?.0 ?? "", place: place, host: host(of: request))
        return (item, budget ?? defaults.budget)
    }

    private func host(of request: WarmItem.Request) -> String {
        switch request {
        case .url(let url): MediaHost.of(url)
        case .payload(let payload): payloadURL(payload).map(MediaHost.of) ?? ""
        }
    }
}

/// A reader that makes items of the lines and the objects of a source.
package struct WarmItemReader: Sendable {
    /// The format of the source; `nil` if the form of each object is detected.
    let format: WarmFormat?
    /// The reader of objects whose keys are those of items in a source.
    let entries: WarmEntryReader

    /// Returns the item of a line with a URL; `nil` for an empty line and for a comment.
    package func item(line: String, at place: String) -> WarmItem? {
        line.isEmpty || line.hasPrefix("#") ? nil : entries.item(url: line, at: place)
    }

    /// Returns the item of a URL from a command line or a sitemap.
    package func item(url: String, at place: String) -> WarmItem { entries.item(url: url, at: place) }

    package func item(of object: JSONObject, at place: String) throws(WarmProblem) -> WarmItem {
        switch format {
        case .ndjson: break
        case .payloads: return entries.item(payload: object, at: place)
        case .urls, .xml, nil: guard isEntry(object) else { return entries.item(payload: object, at: place) }
        }
        return try entries.entry(of: object, at: place).item
    }

    /// Returns whether an object is an entry. An entry has a URL, and each other key is a key of entries or a
    /// misspelling of such a key.
    private func isEntry(_ object: JSONObject) -> Bool {
        let isKnown = { (key: String) in
            entries.form.keys.contains { $0 == key || NearestWord.isSlip(key, of: $0) }
        }
        return object["url"]?.string != nil && object.keys.allSatisfy(isKnown)
    }
}
