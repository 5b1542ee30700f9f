import FoundationEssentials
import JSON
import NotificationModel

/// A file that is moved to `rejected`, with the reason that is written beside it.
struct Rejection: Sendable {
    let file: SpoolFile
    /// Whether the file is in `claimed`. Otherwise it is in `incoming`, because another file of its name is claimed.
    let isClaimed: Bool
    let why: PayloadError
    let date: Date

    /// Returns the text that is written beside the file.
    ///
    /// - Parameter arrivedAt: The stamp of the file (`RejectedDirectory`).
    func json(arrivedAt: String) -> JSONValue {
        var object: JSONObject = [
            "file": .string(file.name), "reason": .string(why.reason.rawValue), "problem": .string(why.problem),
        ]
        if let key = why.key { object.append("key", .string(key)) }
        if let line = why.line { object.append("line", .number(JSONNumber(line))) }
        if let column = why.column { object.append("column", .number(JSONNumber(column))) }
        object.append("appGroup", .string(file.group.description))
        object.append("arrivedAt", .string(arrivedAt))
        object.append("rejectedAt", .timestamp(date))
        return .object(object)
    }
}
