import JSON
import NotificationModel

/// The numbers of unread messages and missed calls (Push Gateway API, `counts`).
///
/// If a platform has no numbers, a gateway sends them as strings of digits. If a gateway sends only the IDs of the
/// event, it sends the unread messages as `unread_count`. In a message to FCM the numbers are flat, beside the members
/// of the event.
struct MatrixCounts {
    private static let keys = [("unread", "unread"), ("missedCalls", "missed_calls")]

    private let event: JSONNode

    init(_ event: JSONNode) { self.event = event }

    var badge: Int? { Self.count(event["counts"]["unread"]) }

    var flatBadge: Int? { Self.count(event["unread_count"]) ?? Self.count(event.guess("unread")) }

    var details: JSONObject {
        var details = JSONObject()
        for (name, key) in Self.keys {
            if let count = Self.count(event["counts"][key]) ?? Self.count(event.guess(key)) {
                details.append(name, .number(JSONNumber(count)))
            }
        }
        return details
    }

    var problems: [PayloadProblem] {
        let counts = event["counts"]
        if !Self.isMissing(counts), counts.object == nil {
            return [
                PayloadProblem(
                    "matrix-count", counts, "the counts are not an object",
                    fix: "Write an object, such as {\"unread\": 2}")
            ]
        }
        let places = Self.keys.map { counts[$0.1] } + [event["unread_count"]]
        return places.filter { !Self.isMissing($0) && Self.count($0) == nil }.map {
            PayloadProblem("matrix-count", $0, "the count is not a whole number of 0 or more", fix: "Write a number")
        }
    }

    private static func isMissing(_ node: JSONNode) -> Bool { (node.value ?? .null) == .null }

    private static func count(_ node: JSONNode) -> Int? { node.looseInteger.flatMap { $0 < 0 ? nil : $0 } }
}
