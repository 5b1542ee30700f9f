import Base
import NotificationModel

/// The members of an object that is read as an item.
struct WarmEntryFields {
    /// The length of the longest URL in a call, in bytes. The fetcher refuses longer URLs, and responses repeat them.
    static let maxURL = 8_192

    let object: JSONObject
    let place: String

    func problem(_ key: String, _ text: String) -> WarmProblem {
        WarmProblem(place: place, text: "\(VisibleText.short(key, most: 64)): \(text)")
    }

    /// Checks that all keys of the object are known. Throws a `WarmProblem` for the first unknown key.
    func checkKeys(_ keys: [String]) throws(WarmProblem) {
        guard let unknownKey = object.keys.first(where: { !keys.contains($0) }) else { return }
        let hint = NearestWord.nearest(to: unknownKey, among: keys).map { "did you mean \($0)?" }
        throw problem(unknownKey, "is not a key: \(hint ?? "the keys are \(keys.joined(separator: ", "))")")
    }

    func request(_ form: WarmEntryReader.Form) throws(WarmProblem) -> WarmItem.Request {
        switch (object["url"], object["payload"], form) {
        case (.string(let url)?, nil, .call) where url.utf8.count > Self.maxURL:
            throw problem("url", "must have at most \(Self.maxURL) bytes")
        case (.string(let url)?, nil, _): return .url(url)
        case (nil, .object(let payload)?, .call): return .payload(payload)
        case (_, _, .call): throw problem("url", "must be a string, or payload must be an object, but not both")
        case (_, _, .source): throw problem("url", "must be a string")
        }
    }

    /// Returns the profiles that the object names; `nil` if it names no profiles.
    func profiles() throws(WarmProblem) -> [MediaProfile]? {
        let values: [JSONValue]
        switch (object["profiles"], object["profile"]) {
        case (nil, nil): return nil
        case (nil, let value?): values = [value]
        case (let list?, nil): values = list.array ?? []
        case (.some, .some): throw problem("profile", "conflicts with profiles: leave one of them out")
        }
        let profiles = values.compactMap { $0.string.flatMap(MediaProfile.named) }
        guard !profiles.isEmpty, profiles.count == values.count else {
            let known = MediaProfile.all.map(\.name).joined(separator: ", ")
            throw problem("profiles", "must be an array of one or more of: \(known)")
        }
        return profiles
    }

    /// Returns the parsed value of a text; `nil` if the key is missing.
    func value<Value>(
        _ key: String, _ expected: String, _ parse: (String) -> Value?
    ) throws(WarmProblem) -> Value? {
        guard let value = object[key] else { return nil }
        guard let parsed = value.string.flatMap(parse) else { throw problem(key, expected) }
        return parsed
    }
}
