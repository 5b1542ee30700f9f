import NotificationModel

/// What was found out about one thing.
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
    /// What to do about it, where something is to be done.
    let mend: String?

    init(area: String, name: String, answer: DoctorCheck.Answer) {
        self.area = area
        self.name = name
        status = answer.status
        found = answer.found
        mend = answer.mend
    }

    var json: JSONValue {
        [
            "area": .string(area), "name": .string(name), "status": .string(status.rawValue), "found": .string(found),
            "mend": .text(mend),
        ]
    }
}
