import JSON
import NotificationModel

/// A file that was taken, on its way to the desk.
struct Claim: Sendable {
    let file: SpoolFile
    let arrival: Arrival
    let bytes: [UInt8]
    /// An earlier daemon took it: its name may be known to the desk, because it is the very same file.
    let isRecovered: Bool
    /// The lease of a large file.
    var lease: ByteLease?
    /// The desk was full before.
    var isRetried = false

    /// What is handed in, or why it cannot be.
    func submission() -> Result<Submission, PayloadError> {
        do throws(JSONSyntaxError) {
            guard let object = try JSONParser.value(of: bytes).object else {
                return .failure(PayloadError(reason: .invalidPayload, problem: "the file holds no JSON object"))
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

/// A name in a group's spool.
struct SpoolFile: Sendable, Hashable {
    let group: AppGroupName
    let name: String

    /// What its request is called, unless an envelope says otherwise.
    var key: RequestKey? { RequestID(SpoolName.stem(name)).map { RequestKey(group: group, id: $0) } }
}

/// Why a file is of no use.
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
