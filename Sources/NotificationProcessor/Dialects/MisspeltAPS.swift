package import JSON
import NotificationModel

/// The search for keys of a payload that were probably meant as `aps`.
package enum MisspeltAPS {
    /// The maximum number of keys of one object that are compared.
    private static let mostKeys = 64
    private static let members = ["alert", "mutable-content", "content-available", "badge", "sound"]

    /// Returns the keys with the letters of `aps`, and similar keys whose objects have one of Apple's members.
    package static func keys(of payload: JSONObject) -> [String] {
        payload.members.prefix(mostKeys).filter { member in
            let (key, bare) = (member.key, KeyGuess.bare(member.key))
            guard key != "aps" else { return false }
            if bare == "aps" { return true }
            let isNear = bare.sorted() == ["a", "p", "s"] || NearestWord.distance(String(bare.prefix(8)), "aps") == 1
            guard isNear, let object = member.value.object else { return false }
            return members.contains { object[$0] != nil }
        }.map(\.key)
    }
}
