import JSON
import NotificationModel

/// The result of a check, with the area and the name of the check.
struct Finding: Sendable {
    enum Status: String, Sendable {
        case ok
        case warning
        case failed
    }

    /// The area of the check. Checks of the same area are next to each other in the report.
    let area: String
    /// The name of the check, which is unique in its area. Scripts use it, so it must not change.
    let name: String
    let answer: Answer

    var json: JSONValue {
        [
            "area": .string(area), "name": .string(name), "status": .string(answer.status.rawValue),
            "found": .string(answer.found), "mend": .text(answer.remedy),
        ]
    }
}

/// The result of a check.
struct Answer: Sendable {
    let status: Finding.Status
    let found: String
    /// The correction of the problem; `nil` if there is nothing to correct.
    let remedy: String?

    static func ok(_ found: String) -> Answer { Answer(status: .ok, found: found, remedy: nil) }

    /// Returns the result for a property that works, but is likely to cause problems.
    static func warning(_ found: String, remedy: String) -> Answer {
        Answer(status: .warning, found: found, remedy: remedy)
    }

    /// Returns the result for a property with which the program cannot do its work.
    static func failed(_ found: String, remedy: String) -> Answer {
        Answer(status: .failed, found: found, remedy: remedy)
    }

    /// Returns a warning, or no warning if the property is as it should be.
    static func ok(_ found: String, if isGood: Bool, else remedy: String) -> Answer {
        isGood ? .ok(found) : .warning(found, remedy: remedy)
    }

    /// Returns the correction as a sentence. In error messages, a correction follows a colon instead.
    static func sentence(_ remedy: String) -> String { remedy.prefix(1).uppercased() + remedy.dropFirst() + "." }
}
