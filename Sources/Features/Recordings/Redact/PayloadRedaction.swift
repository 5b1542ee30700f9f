import Base

/// The removal of secrets from a payload. Its texts stay, because a replay needs them.
///
/// * URLs of all schemes lose what `URLRedaction` removes.
/// * The texts of keys such as `token`, `password` and `signature`, and long words that may be tokens, become `redacted`.
///   Numbers of such keys become 0.
/// * A text that is JSON itself is treated like the payload.
struct PayloadRedaction {
    /// The parts of names whose values are secrets, in lower case.
    private static let secretNames = [
        "token", "secret", "password", "authorization", "apikey", "api_key", "api-key", "cookie", "signature",
        "credential", "pushkey", "session",
    ]
    private static let deepest = 64

    var urls = URLRedaction()
    /// The URLs of the media items as the payload has them, which may have spaces.
    let media: Set<String>

    init(media: some Sequence<String>) { self.media = Set(media) }

    mutating func value(_ value: JSONValue, depth: Int = 0) -> JSONValue { self.value(value, of: nil, depth: depth) }

    private mutating func value(_ value: JSONValue, of key: String?, depth: Int) -> JSONValue {
        guard depth < Self.deepest else { return value.string == nil ? value : .string(URLRedaction.replacement) }
        switch value {
        case .string(let text): return .string(self.text(text, of: key, depth: depth))
        case .array(let elements): return .array(elements.map { self.value($0, of: key, depth: depth + 1) })
        case .object(let object):
            var result = JSONObject()
            for member in object.members {
                result.append(member.key, self.value(member.value, of: member.key, depth: depth + 1))
            }
            return .object(result)
        case .number: return Self.isSecret(key) ? .number(0) : value
        case .null, .bool: return value
        }
    }

    /// Returns whether the value of a key is a secret.
    private static func isSecret(_ key: String?) -> Bool {
        guard let key = key?.lowercased() else { return false }
        return secretNames.contains { key.contains($0) }
    }

    private mutating func text(_ text: String, of key: String?, depth: Int) -> String {
        if text.isEmpty || text.hasPrefix("data:") { return text }
        if media.contains(text) { return urls.url(text) }
        if Self.isSecret(key) { return URLRedaction.token(text) }
        if text.hasPrefix("{") || text.hasPrefix("["), let inner = try? JSONParser.value(of: text) {
            return JSONWriter.text(of: value(inner, of: key, depth: depth + 1))
        }
        if !text.contains("://"), MediaFormat.named(fileOf: text) != nil { return urls.url(text) }
        return urls.text(text)
    }
}
