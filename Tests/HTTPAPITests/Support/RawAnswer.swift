import Base
import NotificationModel

/// A response as it was received.
struct RawAnswer: Sendable {
    let head: String
    var body = ""

    init(head: String) { self.head = head }

    var status: Int { head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? -1 }

    var json: JSONValue? { try? JSONParser.value(of: body) }

    /// The value of a field, whose name is in lower case; `nil` if the response has no such field.
    subscript(name: String) -> String? {
        for line in head.split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ": ", maxSplits: 1)
            if parts.first?.lowercased() == name { return parts.count == 2 ? String(parts[1]) : "" }
        }
        return nil
    }
}
