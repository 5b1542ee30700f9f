import JSON
import NotificationModel

/// One thing to look at.
struct DoctorCheck: Sendable {
    /// What it belongs to; checks of one area stand together.
    let area: String
    /// Unique in its area. Scripts ask for it, so it stays.
    let name: String
    /// May block: it runs on the examination's thread.
    let look: @Sendable () async -> Answer

    init(_ area: String, _ name: String, look: @escaping @Sendable () async -> Answer) {
        self.area = area
        self.name = name
        self.look = look
    }

    /// Writes what mends a problem, as messages have it after a colon, as a sentence.
    static func sentence(_ mend: String) -> String { mend.prefix(1).uppercased() + mend.dropFirst() + "." }

    /// What a look gave.
    struct Answer: Sendable {
        let status: Finding.Status
        let found: String
        let mend: String?

        static func ok(_ found: String) -> Answer { Answer(status: .ok, found: found, mend: nil) }

        /// It works, and something about it is likely to hurt.
        static func warning(_ found: String, mend: String) -> Answer {
            Answer(status: .warning, found: found, mend: mend)
        }

        /// The program does not do its work like this.
        static func failed(_ found: String, mend: String) -> Answer {
            Answer(status: .failed, found: found, mend: mend)
        }
    }
}

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
