import JSON
import NotificationModel
import Primitives

/// A claimed file that is about to be submitted to the coordinator.
struct Claim: Sendable {
    let file: SpoolFile
    let arrival: Arrival
    let bytes: [UInt8]
    /// Whether an earlier daemon claimed the file. In this case, the coordinator may already know the name of the file,
    /// because it has a request from the same file.
    let isRecovered: Bool
    /// The lease of a large file; `nil` if the file is small.
    var lease: ByteLease?
    /// Whether the coordinator refused the claim before because the coordinator was full.
    var isRetried = false

    /// Returns the submission of the file, or the reason why the file is unusable.
    func submission() -> Result<Submission, PayloadError> {
        do throws(JSONSyntaxError) {
            let value = try JSONParser.value(of: bytes)
            guard let object = value.object else {
                let remedy = value.array == nil ? "" : ": put each element into its own file"
                return .failure(
                    PayloadError(
                        reason: .invalidPayload, problem: "the file has \(value.typeName), not an object\(remedy)"))
            }
            return .success(
                Submission(
                    body: bytes, object: object, origin: .spool(fileName: file.name), arrival: arrival,
                    group: file.group, weakID: RequestID(SpoolName.stem(file.name)), lease: lease))
        } catch {
            return .failure(
                PayloadError(
                    reason: .invalidPayload, problem: error.problem, line: error.line, column: error.column))
        }
    }
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
