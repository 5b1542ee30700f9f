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
