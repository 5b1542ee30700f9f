package import JSON
import NotificationModel

/// The keys of an envelope, and the check whether an object was meant as an envelope.
package enum EnvelopeKeys {
    package static let all = [
        "id", "appGroup", "profile", "budget", "deadline", "dialect", "onExpiry", "permissions", "network", "fallback",
        "receipts", "callback", "locale", "recipient", "priority", "headers", "keep", "payload",
    ]
    /// Keys that are read, but have no effect.
    package static let withoutEffect = ["receipts", "callback", "keep"]

    /// The maximum number of keys of one object that are compared.
    private static let mostCompared = 64

    /// Returns whether an object is an envelope. An envelope contains an object `payload`, and all its other keys are
    /// keys of envelopes.
    package static func isEnvelope(_ object: JSONObject) -> Bool {
        object["payload"]?.object != nil && object.keys.allSatisfy(all.contains)
    }

    /// Returns the keys of an object that no envelope has, without repetitions. Each key is returned with the
    /// envelope's key that was probably meant.
    package static func unknownKeys(in object: JSONObject) -> [(key: String, guess: String?)] {
        var seen = Set(all)
        return object.keys.prefix(mostCompared).filter { seen.insert($0).inserted }.map { ($0, guess(for: $0)) }
    }

    /// Returns whether an object that no dialect recognises was meant as an envelope. This is assumed if a dialect
    /// recognises the object in its `payload`. It is also assumed if another key of the object is a key of an envelope
    /// or a misspelling of such a key.
    package static func isMeantAsEnvelope(_ object: JSONObject, by dialects: DialectTable) -> Bool {
        guard let payload = object["payload"]?.object else { return false }
        if dialects.recognises(payload) { return true }
        return object.keys.prefix(mostCompared).contains { key in
            key != "payload" && (all.contains(key) || guess(for: key) != nil)
        }
    }

    /// Other names for the keys, in lower case. Other programs use these names for the same values.
    private static let synonyms = [
        "group": "appGroup", "timeout": "budget", "platform": "profile", "language": "locale", "lang": "locale",
        "userid": "recipient", "user": "recipient", "receiver": "recipient", "requestid": "id", "request_id": "id",
        "format": "dialect", "vendor": "dialect", "expires": "deadline",
    ]

    /// Returns the key that was probably meant. It is the key of which the given key is a synonym, or a key that
    /// differs by one letter. Two letters may differ if the key has more than five. No key is treated as a misspelt
    /// `id`.
    private static func guess(for key: String) -> String? {
        if key.utf8.count <= 10 {
            let key = key.lowercased()
            if let meant = synonyms[key] ?? all.first(where: { $0.lowercased() == key }) { return meant }
        }
        // The length alone excludes most keys.
        let length = key.utf8.count
        return all.first { known in
            known != "id" && abs(known.utf8.count - length) <= 2
                && NearestWord.distance(known, key) <= (known.utf8.count > 5 ? 2 : 1)
        }
    }
}
