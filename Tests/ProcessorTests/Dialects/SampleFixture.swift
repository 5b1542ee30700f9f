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
