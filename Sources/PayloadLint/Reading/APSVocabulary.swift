/// The keys that Apple documents (Apple, "Generating a remote notification", payload key reference; "Starting and
/// updating Live Activities with ActivityKit push notifications").
enum APSVocabulary {
    enum Shape {
        case text
        case number
        case object
        case textOrObject
        case texts
        /// A separate rule checks the value.
        case own
    }

    static let aps: [String: Shape] = [
        "alert": .textOrObject, "badge": .own, "sound": .textOrObject, "thread-id": .text, "category": .text,
        "content-available": .own, "mutable-content": .own, "target-content-id": .text, "interruption-level": .own,
        "relevance-score": .own, "filter-criteria": .text, "timestamp": .number, "event": .text,
        "content-state": .object, "stale-date": .number, "dismissal-date": .number, "attributes-type": .text,
        "attributes": .object, "input-push-token": .own, "input-push-channel": .text, "content-changed": .own,
        // Only pushes to Safari have this key.
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

    /// The keys whose names have a hyphen. In any object, such a name is Apple's key. Senders use other names, too.
    static let unmistakable = apsKeys.filter { $0.contains("-") }
}
