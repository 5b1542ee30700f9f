import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// A payload of `fixtures/payloads`, with the values of `EXPECTED.json` that its reading must have.
struct SampleFixture: Sendable, CustomTestStringConvertible {
    let name: String
    let object: JSONObject
    let expected: JSONValue

    var testDescription: String { name }
    var sender: String { expected["sender"]?.string ?? "" }
    /// The sender's own name for the format, such as a push or a request to its API.
    var format: String { expected["format"]?.string ?? "" }

    /// The reading of the sample's payload.
    var reading: PushPayload {
        let request = request(at: ManualClock()).request
        return DialectTable.standard.read(request.payload, requested: request.dialect)
    }

    static func all() throws -> [SampleFixture] {
        let expected = try JSONParser.value(of: Fixtures.bytes("payloads/EXPECTED.json"))
        return try (expected.object?.members ?? []).map { member in
            let object = try JSONParser.value(of: Fixtures.bytes("payloads/\(member.key).json")).object
            return SampleFixture(name: member.key, object: object ?? [:], expected: member.value)
        }
    }

    /// Returns the request that the sample makes, as an envelope or as a bare payload.
    func request(at clock: ManualClock) -> (request: NotificationRequest, error: EnvelopeError?) {
        EnvelopeReader(defaults: RequestDefaults(), dialects: .standard)
            .request(from: Submission(object: object, arrival: clock.reading))
    }
}
