import NotificationModel

/// The reason why a file of the spool is rejected.
struct PayloadError: Error, Sendable, Equatable {
    var reason: DegradationReason
    /// A sentence for people.
    var problem: String
    /// The envelope's key that is wrong.
    var key: String?
    /// From 1, in bytes, where the text is no JSON.
    var line: Int?
    var column: Int?

    static let nameInUse = PayloadError(reason: .duplicateID, problem: "a request with this id was accepted before")
}
