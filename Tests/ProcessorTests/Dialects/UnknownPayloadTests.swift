import JSON
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

@Suite struct UnknownPayloadTests {
    private static let push = #"{"aps":{"alert":"x"}}"#

    private func problem(_ text: String) throws -> PayloadProblem {
        let reading = DialectTable.standard.read(try #require(try JSONParser.value(of: text).object))
        #expect(reading.dialect == nil)
        return try #require(reading.problems.last { $0.rule == PayloadProblem.unknownPayload })
    }

    @Test(arguments: [
        (#"{"Payload":\#(push)}"#, "/Payload"), (#"{"data":\#(push)}"#, "/data"),
        (#"{"request":{"body":\#(push)},"id":7}"#, "/request/body"), (#"{"events":[\#(push)]}"#, "/events/0"),
        (#"{"a":{"b":{"c":\#(push)}}}"#, "/a/b/c"), (#"{"Message":"{\"aps\":{\"alert\":\"x\"}}"}"#, "/Message"),
    ])
    func `another wrapper around a push is named`(_ text: String, _ place: String) throws {
        let problem = try problem(text)
        #expect(problem.place.description == place)
        #expect(problem.text.contains("\(place) is a payload of apns"), "\(problem.text)")
    }

    @Test(arguments: [
        ("{}", "apns", "aps"), (#"{"hello":1}"#, "apns", "aps"), (#"{"clickUrl":"u","x":1}"#, "mindbox", "uniqueKey"),
        (#"{"push_id":"p"}"#, "sendios", "image_url"), (#"{"room_id":"!r:e"}"#, "matrix", "event_id"),
        (#"{"user":"u","message":"m"}"#, "pushover", "token"),
    ])
    func `the nearest dialect and the key that it misses are named`(
        _ text: String, _ dialect: String, _ key: String
    ) throws {
        let problem = try problem(text)
        #expect(problem.text.contains("the nearest dialect is \(dialect), but \(key) is missing"), "\(problem.text)")
    }

    @Test(arguments: [
        (#"{"APS":{"badge":1}}"#, "did you mean aps (apns)?"),
        (#"{"com.batchh":7}"#, "did you mean com.batch (batch)?"),
        (#"{"aps":"{\"alert\":\"x\"}"}"#, "aps is a string of JSON, not an object"),
        (#"{"aps":7}"#, "aps is a number, not an object"),
    ])
    func `a misspelt key and a value of a wrong type are named`(_ text: String, _ words: String) throws {
        let problem = try problem(text)
        #expect(problem.text.contains(words), "\(problem.text)")
        #expect(problem.place != .root)
    }

    /// A sender chooses the payload, so the search for its reason must end soon.
    @Test(arguments: [
        String(repeating: #"{"a":"#, count: 120) + "1" + String(repeating: "}", count: 120),
        "{" + (0..<5_000).map { #""k\#($0)":{"a":{"b":{}}}"# }.joined(separator: ",") + "}",
        #"{"a":"\#(String(repeating: "[", count: 50_000))"}"#,
    ])
    func `a payload of many objects has its problem soon`(_ text: String) throws {
        let start = ContinuousClock.now
        #expect(try problem(text).text.contains("no dialect recognises the payload"))
        #expect(ContinuousClock.now - start < .seconds(2))
    }
}
