import JSON
import NotificationModel

/// A check of one property of this machine.
struct DoctorCheck: Sendable {
    /// The area of the check. Checks of the same area are next to each other in the report.
    let area: String
    /// The name of the check, which is unique in its area. Scripts use it, so it must not change.
    let name: String
    /// The function of the check. The function may block, because it runs on the thread of the examination.
    let look: @Sendable () async -> Answer

    init(_ area: String, _ name: String, look: @escaping @Sendable () async -> Answer) {
        self.area = area
        self.name = name
        self.look = look
    }

    /// Returns the correction as a sentence. In error messages, a correction follows a colon instead.
    static func sentence(_ remedy: String) -> String { remedy.prefix(1).uppercased() + remedy.dropFirst() + "." }

    /// The result of a check.
    struct Answer: Sendable {
        let status: Finding.Status
        let found: String
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
    }
}

/// The result of a check, with the area and the name of the check.
struct Finding: Sendable {
    enum Status: String, Sendable {
        case ok
        case warning
        case failed
    }

    let area: String
    let name: String
    let status: Status
    let found: String
    /// The correction of the problem. The value is `nil` if there is nothing to correct.
    let remedy: String?

    init(area: String, name: String, answer: DoctorCheck.Answer) {
        self.area = area
        self.name = name
        status = answer.status
        found = answer.found
        remedy = answer.remedy
    }

    var json: JSONValue {
        [
            "area": .string(area), "name": .string(name), "status": .string(status.rawValue), "found": .string(found),
            "mend": .text(remedy),
        ]
    }
}
