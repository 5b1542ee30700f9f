import Base
import FoundationEssentials
import NotificationModel
import NotificationProcessor
import PayloadLint
import Testing

/// Tests of envelopes, and of objects that are almost envelopes.
@Suite struct EnvelopeLintTests {
    @Test func `lint checks the payload in an envelope with a misspelt key`() {
        let found = Lint.findings(#"{"budgt": "5s", "profil": 7, "onExpiry": 1, "payload": {"aps": {"badge": "3"}}}"#)
        #expect(found.map(\.rule) == ["envelope-unknown-key", "envelope-unknown-key", "envelope-value", "badge"])
        #expect(found.map(\.pointer) == ["/budgt", "/profil", "/onExpiry", "/payload/aps/badge"])
        #expect(found.first?.message.contains("did you mean budget?") == true)
    }

    @Test func `lint reports all wrong values of an envelope in one run`() {
        let found = Lint.findings(
            #"{"id": "", "budget": "1d", "profile": "pager", "priority": 3, "locale": 1, "payload": {"aps": {"alert": "x"}}}"#
        )
        #expect(found.map(\.pointer) == ["/id", "/budget", "/profile", "/priority", "/locale"])
        #expect(Set(found.map(\.rule)) == ["envelope-value"])
    }

    /// The list is a copy, because `EnvelopeReader` does not publish its keys.
    @Test func `lint and the envelope reader accept the same keys`() {
        let reader = EnvelopeReader(defaults: RequestDefaults(), dialects: .standard)
        let keys = [
            "id", "appGroup", "profile", "budget", "deadline", "dialect", "onExpiry", "permissions", "network",
            "fallback",
            "receipts", "callback", "locale", "priority", "headers", "keep",
        ]
        for key in keys + ["another"] {
            var object: JSONObject = ["payload": ["a": 1]]
            object.append(key, .null)
            let arrival = ClockReading(instant: .now, date: Lint.now)
            let request = reader.request(from: Submission(object: object, arrival: arrival)).request
            let isEnvelope = request.payload == ["a": 1]
            #expect(isEnvelope == (key != "another"), "\(key)")
            let text = #"{"\#(key)": null, "payload": {"aps": {"badge": -1}}}"#
            #expect(Lint.findings(text, of: "badge").map(\.pointer) == ["/payload/aps/badge"], "\(key)")
            let unknownKeys = Lint.findings(text, of: "envelope-unknown-key").map(\.pointer)
            #expect(unknownKeys == (isEnvelope ? [] : ["/another"]), "\(key)")
        }
    }

    @Test func `the dialect in an envelope takes precedence over the flag`() {
        let text =
            #"{"dialect": "klaviyo", "payload": {"aps": {"alert": "x", "mutable-content": 1}, "rich-media": "u.png", "attachment": "a.png"}}"#
        #expect(Lint.findings(text, requested: "pushwoosh").contains { $0.pointer == "/payload/rich-media" })
        let bare = #"{"aps": {"alert": "x", "mutable-content": 1}, "rich-media": "u.png", "attachment": "a.png"}"#
        #expect(Lint.findings(bare, requested: "pushwoosh").contains { $0.pointer == "/attachment" })
    }
}
