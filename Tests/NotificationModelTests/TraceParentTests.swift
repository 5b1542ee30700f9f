import Base
import NotificationModel
import Testing

@Suite struct TraceParentTests {
    private static let ids = "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7"
    private static let value = "00-\(ids)-01"

    @Test(arguments: [
        (value, value), ("00-\(ids)-00", "00-\(ids)-00"), ("00-\(ids)-fe", "00-\(ids)-fe"),
        ("01-\(ids)-01", value), ("01-\(ids)-02", "00-\(ids)-00"), ("fe-\(ids)-0b-what the future has", value),
        ("cc-\(ids)-01-", value),
    ])
    func `a valid value is read as one of version 00`(_ text: String, _ read: String) {
        #expect(TraceParent(text)?.description == read)
    }

    @Test(arguments: [
        "", "00", "-", String(repeating: "-", count: 55), "\(value) ", " \(value)", "\(value)\n", "\(value)-",
        "\(value)-00", "\(value), \(value)", "ff-\(ids)-01", "00-\(ids.uppercased())-01", "00-\(ids)-0g",
        "0-\(ids)-001", "00-\(ids)-1",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", "01-\(ids)-01x", "01-\(ids)-01-a\nb",
        "01-\(ids)-01-\u{7F}", "01-\(ids)-01-ä",
        "01-\(ids)-01-" + String(repeating: "x", count: 1 << 20),
    ])
    func `a value without the form of the specification is refused`(_ text: String) {
        #expect(TraceParent(text) == nil)
    }

    @Test(arguments: [
        (#"{"aps":{"alert":"A"}}"#, false), ("\u{FEFF}{\"aps\":{}}", false), (nested(127), false),
        (" \n{\"aps\":{}}\n", false), ("{}", false),
        (#"{"payload":{"a":1}}"#, true),
        (#" { "id": "x", "payload": {"traceparent": "own"} } "#, true),
    ])
    func `a value is added to a stored body without other changes`(_ text: String, _ isEnvelope: Bool) throws {
        let traceParent = try #require(TraceParent(Self.value))
        let stored = try #require(
            JSONParser.value(
                of: traceParent.adding(
                    to: Array(text.utf8), isEnvelope: isEnvelope, deepest: JSONParser.deepestNesting)
            ).object)
        let body = try #require(JSONParser.value(of: Array(text.utf8)).object)
        #expect(stored["traceparent"] == .string(Self.value))
        if isEnvelope {
            #expect(stored.keys == ["traceparent"] + body.keys)
            for key in body.keys { #expect(stored[key] == body[key]) }
        } else {
            #expect(stored.keys == ["traceparent", "payload"])
            #expect(stored["payload"] == .object(body))
        }
    }

    /// An object with a value that has this number of containers in each other, with the object.
    private static func nested(_ depth: Int) -> String {
        #"{"a":"# + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}"
    }

    @Test func `a payload that could not be read in an envelope is stored as it is`() throws {
        let traceParent = try #require(TraceParent(Self.value))
        let body = Array(Self.nested(JSONParser.deepestNesting).utf8)
        #expect(throws: Never.self) { try JSONParser.value(of: body) }
        #expect(traceParent.adding(to: body, isEnvelope: false, deepest: JSONParser.deepestNesting) == body)
    }
}
