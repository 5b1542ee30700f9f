package import JSON
import NotificationModel

/// The keys of an envelope, and objects that were meant as one.
package enum EnvelopeKeys {
    package static let all = [
        "id", "appGroup", "profile", "budget", "deadline", "dialect", "onExpiry", "permissions", "network", "fallback",
        "receipts", "callback", "locale", "recipient", "priority", "headers", "keep", "payload",
    ]
    /// Keys that are read and have no effect.
    package static let withoutEffect = ["receipts", "callback", "keep"]

    /// More keys of one object than this are not compared.
    private static let mostCompared = 64

    /// Whether an object is an envelope: an object `payload`, and otherwise only the keys of envelopes.
    package static func isEnvelope(_ object: JSONObject) -> Bool {
        object["payload"]?.object != nil && object.keys.allSatisfy(all.contains)
    }

    /// The keys of an object that are none of an envelope's, each once, with the envelope's key that was probably meant.
    package static func strangers(in object: JSONObject) -> [(key: String, guess: String?)] {
        var seen = Set(all)
        return object.keys.prefix(mostCompared).filter { seen.insert($0).inserted }.map { ($0, guess(for: $0)) }
    }

    /// Whether an object that no dialect recognises was meant as an envelope: a dialect recognises the object in its `payload`,
    /// or beside that is one of the other keys, or one misspelt.
    package static func isMeantAsEnvelope(_ object: JSONObject, by dialects: DialectTable) -> Bool {
        guard let payload = object["payload"]?.object else { return false }
        if dialects.recognises(payload) { return true }
        return object.keys.prefix(mostCompared).contains { key in
            key != "payload" && (all.contains(key) || guess(for: key) != nil)
        }
    }

    /// Other names for the keys, as callers of other programs write them, in lower case.
    private static let synonyms = [
        "group": "appGroup", "timeout": "budget", "platform": "profile", "language": "locale", "lang": "locale",
        "userid": "recipient", "user": "recipient", "receiver": "recipient", "requestid": "id", "request_id": "id",
        "format": "dialect", "vendor": "dialect", "expires": "deadline",
    ]

    /// The key for which this is another name, or the key that is one letter away, or two if it has more than five. Nothing
    /// is a misspelt `id`.
    private static func guess(for key: String) -> String? {
        if key.utf8.count <= 10 {
            let key = key.lowercased()
            if let meant = synonyms[key] ?? all.first(where: { $0.lowercased() == key }) { return meant }
        }
        // The length alone tells most keys apart.
        let length = key.utf8.count
        return all.first { known in
            known != "id" && abs(known.utf8.count - length) <= 2
                && NearestWord.distance(known, key) <= (known.utf8.count > 5 ? 2 : 1)
        }
    }
}
