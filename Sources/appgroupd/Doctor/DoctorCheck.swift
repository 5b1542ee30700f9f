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
