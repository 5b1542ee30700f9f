import JSON
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// A payload of `fixtures/payloads`, and what `EXPECTED.json` says must be found in it.
struct SampleFixture: Sendable, CustomTestStringConvertible {
    let name: String
    let object: JSONObject
    let expected: JSONValue

    var testDescription: String { name }
    var sender: String { expected["sender"]?.string ?? "" }
    /// The sender's own name for what it is: a push, a request to its API.
    var format: String { expected["format"]?.string ?? "" }

    /// The reading of the payload in it.
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

    /// The request that it makes, as an envelope or bare.
    func request(at clock: ManualClock) -> (request: NotificationRequest, error: EnvelopeError?) {
        EnvelopeReader(defaults: RequestDefaults(), dialects: .standard)
            .request(from: Submission(object: object, arrival: clock.arrival))
    }
}
