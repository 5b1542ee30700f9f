import JSON
import NotificationModel
import NotificationProcessor

/// Apple's keys (Apple, "Generating a remote notification", payload key reference; "Starting and updating Live
/// Activities with ActivityKit push notifications").
enum APSVocabulary {
    enum Shape {
        case text
        case number
        case object
        case textOrObject
        case texts
        /// Judged by a rule of its own.
        case own
    }

    static let aps: [String: Shape] = [
        "alert": .textOrObject, "badge": .own, "sound": .textOrObject, "thread-id": .text, "category": .text,
        "content-available": .own, "mutable-content": .own, "target-content-id": .text, "interruption-level": .own,
        "relevance-score": .own, "filter-criteria": .text, "timestamp": .number, "event": .text,
        "content-state": .object, "stale-date": .number, "dismissal-date": .number, "attributes-type": .text,
        "attributes": .object, "input-push-token": .own, "input-push-channel": .text, "content-changed": .own,
        // Safari's own pushes.
        "url-args": .texts,
    ]

    static let alert: [String: Shape] = [
        "title": .text, "subtitle": .text, "body": .text, "launch-image": .text, "title-loc-key": .text,
        "title-loc-args": .own, "subtitle-loc-key": .text, "subtitle-loc-args": .own, "loc-key": .text,
        "loc-args": .own, "summary-arg": .text, "summary-arg-count": .number, "action-loc-key": .text, "action": .text,
    ]

    static let sound: [String: Shape] = ["critical": .own, "name": .text, "volume": .own]

    static let apsKeys = aps.keys.sorted()
    static let alertKeys = alert.keys.sorted()
    static let soundKeys = sound.keys.sorted()

    /// Keys that say what they are wherever they stand; the others are also words of senders' own.
    static let unmistakable = apsKeys.filter { $0.contains("-") }
}

/// The known key that was probably meant by an unknown one.
enum KeyGuess {
    /// Ones that differ in case, hyphens and blanks alone (`mutableContent`), in the order of their letters (`titel`), or
    /// in a few letters.
    static func nearest(to key: String, among known: [String]) -> String? {
        let bare = bare(key)
        if !bare.isEmpty, let same = known.first(where: { Self.bare($0) == bare }) { return same }
        let letters = bare.sorted()
        if bare.count > 2, let same = known.first(where: { Self.bare($0).sorted() == letters }) { return same }
        return NearestWord.nearest(to: key, among: known) ?? NearestWord.nearest(to: key.lowercased(), among: known)
    }

    /// Whether a key is a known one with another case of letters, or other signs between them, or with a wrong letter.
    static func isSlip(_ key: String, of known: String) -> Bool {
        NearestWord.isSlip(key, of: known) || (known.count > 3 && bare(key) == bare(known))
    }

    /// Letters and digits alone, in lower case.
    static func bare(_ key: String) -> String { key.lowercased().filter { $0.isLetter || $0.isNumber } }
}
