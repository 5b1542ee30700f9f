import NotificationModel
import Primitives

/// A file that is about to be submitted to the coordinator. It counts against the credit of the spool until it is
/// settled.
struct Claim: Sendable {
    let file: SpoolFile
    let arrival: Arrival
    /// The payload; `nil` if a claimed file has the same name. The file is then still in `incoming`.
    var bytes: [UInt8]?
    /// Whether an earlier daemon claimed the file. In this case, the coordinator may already know the name of the file,
    /// because it has a request from the same file.
    var isRecovered = false
    /// The lease of a large file; `nil` if the file is small.
    var lease: ByteLease?
}

/// The reason why a file of the spool is rejected.
struct PayloadError: Error, Sendable, Equatable {
    var reason: DegradationReason
    /// The description of the error, as a sentence for people.
    var problem: String
    /// The key of the envelope whose value is wrong; `nil` if the error is of another kind.
    var key: String?
    /// The line of a JSON error, counted from 1; `nil` if the error is of another kind. The column is counted in bytes.
    var line: Int?
    var column: Int?

    static let nameInUse = PayloadError(reason: .duplicateID, problem: "a request with this id was accepted before")
}

/// The name of a file in the spool of an app group.
struct SpoolFile: Sendable, Hashable {
    let group: AppGroupName
    let name: String

    /// The key of the request, unless an envelope in the file has an id; `nil` if the name is not a valid id.
    var key: RequestKey? { RequestID(SpoolName.stem(name)).map { RequestKey(group: group, id: $0) } }
}
