import FoundationEssentials
import NotificationModel

/// The text of a place in a list, which clients pass on without a change. It contains nothing secret: a client could ask
/// for the same place by the time of emission.
enum ListCursor {
    private static let radix = 36

    static func text(of place: Int) -> String { String(place, radix: radix) }

    /// Returns the place of a cursor; `nil` if the text is not a cursor.
    static func place(in text: String) -> Int? {
        // A place is before the year 10,000, so that the places beside it are numbers too.
        Int(text, radix: radix).flatMap { abs($0) < 300_000_000_000_000_000 ? $0 : nil }
    }
}

extension RouteArguments {
    func cursor() throws(Problem) -> Int? {
        guard let text = try target.parameter("cursor") else { return nil }
        guard let place = ListCursor.place(in: text) else {
            throw .parameter("cursor", "must be the `next` of an earlier page.")
        }
        return place
    }

    /// Reads a time of RFC 3339; `nil` if the query has no such parameter.
    func time(_ name: String) throws(Problem) -> Date? {
        guard let text = try target.parameter(name) else { return nil }
        guard let date = Timestamp.parse(text) else {
            throw .parameter(name, "must be a time such as 2026-11-27T08:00:00Z.")
        }
        return date
    }
}
