import NotificationModel

/// The reason why a file of the spool is rejected.
struct PayloadError: Error, Sendable, Equatable {
    var reason: DegradationReason
    /// The description of the error, as a sentence for people.
    var problem: String
    /// The key of the envelope whose value is wrong; `nil` for another error.
    var key: String?
    /// The line of a JSON error, counted from 1; `nil` for another error. The column is counted in bytes.
    var line: Int?
    var column: Int?

    static let nameInUse = PayloadError(reason: .duplicateID, problem: "a request with this id was accepted before")
}
