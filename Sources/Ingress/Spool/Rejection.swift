import FoundationEssentials
import JSON
import NotificationModel

/// A file that goes to `rejected`, with the reason beside it.
struct Rejection: Sendable {
    let file: SpoolFile
    /// Where it is now: claimed, or still incoming because another of its name is claimed.
    let isClaimed: Bool
    let why: PayloadError
    let date: Date

    /// What is written beside the file.
    ///
    /// - Parameter arrivedAt: the file's own stamp (`RejectedDirectory`).
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
