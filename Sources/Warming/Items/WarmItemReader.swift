package import FoundationEssentials
package import JSON
package import NotificationModel

/// Makes items of the lines and the objects of a source.
package struct WarmItemReader: Sendable {
    /// The keys of an NDJSON line.
    static let keys = ["url", "profile", "profiles", "group", "keepUntil"]

    /// `nil`: each object is recognised.
    private let format: WarmFormat?
    private let profiles: [MediaProfile]
    private let appGroup: AppGroupName
    private let keepUntil: Date?
    private let date: @Sendable (String) -> Date?
    private let now: Date
    private let payloadURL: @Sendable (JSONObject) -> String?

    /// - Parameters:
    ///   - profiles: The profiles of items that name none.
    ///   - appGroup: The app group of items that name none.
    ///   - keepUntil: The date of items that name none.
    ///   - date: Reads a time to keep something: a duration from now, or a date.
    ///   - now: Items are kept until a later date only.
    ///   - payloadURL: Returns the first URL that a payload would be fetched from; `nil` if there is none.
    package init(
        format: WarmFormat?, profiles: [MediaProfile], appGroup: AppGroupName, keepUntil: Date?,
        date: @escaping @Sendable (String) -> Date?, now: Date, payloadURL: @escaping @Sendable (JSONObject) -> String?
    ) {
        self.format = format
        self.profiles = profiles
        self.appGroup = appGroup
        self.keepUntil = keepUntil
        self.date = date
        self.now = now
        self.payloadURL = payloadURL
    }

    /// Returns the item of a line with a URL; `nil` for an empty line and for a comment.
    package func item(line: String, at place: String) -> WarmItem? {
        guard !line.isEmpty, !line.hasPrefix("#") else { return nil }
        return WarmItem(
            .url(line), profiles: profiles, appGroup: appGroup, keepUntil: keepUntil, place: place,
            host: MediaHost.of(line))
    }

    package func item(of object: JSONObject, at place: String) throws(WarmProblem) -> WarmItem {
        switch format {
        case .payloads: return payload(object, at: place)
        case .ndjson: return try entry(object, at: place)
        case .urls, nil: return isEntry(object) ? try entry(object, at: place) : payload(object, at: place)
        }
    }

    /// An object with a URL is an entry if each other key is one of an entry, or nearly one.
    private func isEntry(_ object: JSONObject) -> Bool {
        object["url"]?.string != nil
            && object.keys.allSatisfy { key in Self.keys.contains { $0 == key || NearestWord.isSlip(key, of: $0) } }
    }

    private func payload(_ object: JSONObject, at place: String) -> WarmItem {
        WarmItem(
            .payload(object), profiles: profiles, appGroup: appGroup, keepUntil: keepUntil, place: place,
            host: payloadURL(object).map(MediaHost.of) ?? "")
    }

    private func entry(_ object: JSONObject, at place: String) throws(WarmProblem) -> WarmItem {
        if let stranger = object.keys.first(where: { !Self.keys.contains($0) }) {
            let hint = NearestWord.nearest(to: stranger, among: Self.keys).map { "did you mean \($0)?" }
            throw problem(
                stranger, "is no key here: \(hint ?? "the keys are \(Self.keys.joined(separator: ", "))")", place)
        }
        guard let url = object["url"]?.string else { throw problem("url", "is missing, or no string", place) }
        let keep = try text("keepUntil", of: object, place)
        return WarmItem(
            .url(url), profiles: try profiles(of: object, place), appGroup: try group(of: object, place),
            keepUntil: try keep.map { text throws(WarmProblem) in
                guard let date = date(text) else {
                    throw problem("keepUntil", "is neither a duration as 14d nor a time as 2026-01-31T12:00:00Z", place)
                }
                guard date > now else { throw problem("keepUntil", "must be in the future", place) }
                return date
            } ?? keepUntil, keep: keep ?? "", place: place, host: MediaHost.of(url))
    }

    private func profiles(of object: JSONObject, _ place: String) throws(WarmProblem) -> [MediaProfile] {
        let names: [JSONValue]
        switch (object["profiles"], object["profile"]) {
        case (nil, nil): return profiles
        case (.array(let values)?, nil): names = values
        case (nil, let value?): names = [value]
        case (.some, nil): throw problem("profiles", "is no array", place)
        case (.some, .some): throw problem("profile", "stands beside profiles: leave one of them out", place)
        }
        var named: [MediaProfile] = []
        for name in names {
            guard let profile = name.string.flatMap(MediaProfile.named) else {
                let known = MediaProfile.all.map(\.name).joined(separator: ", ")
                throw problem("profiles", "must have one or more of: \(known)", place)
            }
            named.append(profile)
        }
        guard !named.isEmpty else { throw problem("profiles", "is empty", place) }
        return named
    }

    private func group(of object: JSONObject, _ place: String) throws(WarmProblem) -> AppGroupName {
        guard let name = try text("group", of: object, place) else { return appGroup }
        guard let group = AppGroupName(name) else {
            throw problem("group", "must be 1 to 128 letters, digits, dots and dashes", place)
        }
        return group
    }

    private func text(_ key: String, of object: JSONObject, _ place: String) throws(WarmProblem) -> String? {
        guard let value = object[key] else { return nil }
        guard let text = value.string else { throw problem(key, "is \(value.typeName), not a string", place) }
        return text
    }

    private func problem(_ key: String, _ text: String, _ place: String) -> WarmProblem {
        WarmProblem(place: place, text: "\(VisibleText.short(key, most: 64)): \(text)")
    }
}
