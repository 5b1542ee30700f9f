import Base
import Foundation
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

@Suite struct EnvelopeReaderTests {
    private let instant = MonotonicInstant.now
    private let date = Date(timeIntervalSince1970: 1_800_000_000)

    private func read(
        _ text: String, _ defaults: RequestDefaults = RequestDefaults(),
        way: (inout Submission) -> Void = { _ in }
    ) throws -> (request: NotificationRequest, error: EnvelopeError?) {
        var submission = Submission(
            object: try #require(try JSONParser.value(of: text).object),
            arrival: ClockReading(instant: instant, date: date))
        way(&submission)
        return EnvelopeReader(defaults: defaults, dialects: .standard)
            .request(from: submission)
    }

    @Test(arguments: [
        #"{"payload":{"a":1}}"#, #"{"id":"x","payload":{"a":1}}"#, #"{"payload":{"a":1},"keep":true,"locale":"de"}"#,
        #"{"payload":{"x":1},"payload":{"a":1}}"#,
        """
        {"id":"x","appGroup":"g","profile":"ios","budget":"5s","dialect":"apns","onExpiry":"original",
         "permissions":{},"network":"wifi","fallback":{},"receipts":true,"callback":"https://a.example/","locale":"de",
         "priority":10,"headers":{"apns-topic":"x"},"keep":null,"payload":{"a":1}}
        """,
    ])
    func `an object with an object payload and only known keys is an envelope`(text: String) throws {
        let (request, error) = try read(text)
        #expect(error == nil)
        #expect(request.payload == ["a": 1])
    }

    @Test(arguments: [("10", 10), ("5", 5), ("1", 1), ("null", 10)])
    func `a request has the priority of its envelope, or the highest priority if the envelope has no priority`(
        text: String, priority: Int
    ) throws {
        #expect(try read(#"{"priority":\#(text),"payload":{"a":1}}"#).0.priority == priority)
        #expect(try read(#"{"payload":{"a":1}}"#).0.priority == 10)
    }

    @Test(arguments: [
        (#"{"headers":{"apns-priority":"5"},"payload":{"a":1}}"#, 5),
        (#"{"headers":{"apns-priority":1},"payload":{"a":1}}"#, 1),
        (#"{"priority":10,"headers":{"apns-priority":"5"},"payload":{"a":1}}"#, 10),
        (#"{"headers":{"apns-priority":"7"},"payload":{"a":1}}"#, 10),
    ])
    func `a request has the priority of the APNs headers if the envelope has no priority`(text: String, priority: Int)
        throws
    {
        #expect(try read(text).0.priority == priority)
    }

    @Test(arguments: [
        "{}", #"{"a":1}"#, #"{"payload":7}"#, #"{"payload":null}"#, #"{"payload":[{}]}"#, #"{"payload":"{}"}"#,
        #"{"payload":{"a":1},"aps":{}}"#, #"{"payload":{},"order":7}"#, #"{"id":"x","budget":"5s"}"#,
        #"{"payload":{},"aps":{},"budgett":"5s"}"#, #"{"payload":{},"ip":"x"}"#,
        #"{"payload":{},"payload":7}"#, #"{"id":7,"title":"x"}"#,
    ])
    func `any object that is not an envelope is read as a bare payload`(text: String) throws {
        let (request, error) = try read(text)
        #expect(error == nil)
        #expect(request.payload == (try JSONParser.value(of: text).object))
        #expect(request.budget.length == .seconds(30))
        #expect(request.id.description != "x")
    }

    @Test(arguments: [
        (#"{"payload":{},"budgett":"5s"}"#, "budgett", "did you mean budget?"),
        (#"{"payload":{"aps":{}},"apGroop":"g"}"#, "apGroop", "did you mean appGroup?"),
        (#"{"payload":{"a":1},"fallbak":{"body":"b"},"x":1}"#, "fallbak", "did you mean fallback?"),
        (#"{"payload":{"a":1},"id":"1","order":7}"#, "order", "put it into payload, or remove it"),
        (#"{"payload":{},"headers":{},"order":7,"profil":"ios"}"#, "profil", "did you mean profile?"),
    ])
    func `an object with a misspelt envelope key is unusable if no dialect recognises the object`(
        text: String, key: String, advice: String
    ) throws {
        let error = try #require(try read(text).error)
        #expect(error.key == key && error.problem.hasSuffix(advice), "\(error)")
        var defaults = RequestDefaults()
        defaults.dialect = "apns"
        #expect(try read(text, defaults).error == nil, "the requested dialect reads it")
    }

    @Test(arguments: [
        ("group", "did you mean appGroup?"), ("timeout", "did you mean budget?"), ("userId", "did you mean recipient?"),
        ("device", "put it into payload, or remove it"), ("tags", "did you mean labels?"),
        ("Budget", "did you mean budget?"),
    ])
    func `an unknown envelope key is an error if a dialect recognises the payload`(key: String, advice: String) throws {
        let error = try #require(try read(#"{"\#(key)":"x","payload":{"aps":{"alert":"x"}}}"#).error)
        #expect(error.key == key && error.problem.hasSuffix(advice), "\(error)")
    }

    @Test(arguments: [
        #"{"name":"conversationMessage.sent","payload":{"parts":[{"type":"text/plain","data":"x"}]}}"#,
        #"{"aps":{"alert":"x"},"payload":{"aps":{"alert":"y"}},"user":7}"#,
    ])
    func `an object that a dialect recognises as a whole is read as a bare payload`(text: String) throws {
        let (request, error) = try read(text)
        #expect(error == nil)
        #expect(request.payload == (try JSONParser.value(of: text).object))
    }

    @Test(arguments: ["{}", #"{"hello":1}"#, #"{"payload":{"a":1}}"#, #"{"payload":{"a":1},"budget":"5s"}"#])
    func `an unknown payload is accepted unless the configuration refuses unknown payloads`(text: String) throws {
        var defaults = RequestDefaults()
        #expect(try read(text, defaults).error == nil)
        defaults.unknownPayloads = .reject
        let error = try #require(try read(text, defaults).error)
        #expect(error.key == "payload" && error.problem.hasPrefix("no dialect recognises the payload"), "\(error)")
        defaults.dialect = "apns"
        #expect(try read(text, defaults).error == nil, "the requested dialect reads it")
    }

    @Test func `a request lists the envelope keys that have no effect`() throws {
        let text =
            #"{"payload":{},"callback":"https://a.example/","receipts":false,"keep":1,"priority":5,"locale":null}"#
        #expect(try read(text).request.keysWithoutEffect == ["keep"])
        #expect(try read(text).request.callback == "https://a.example/")
        #expect(try read(#"{"payload":{},"keep":null}"#).request.keysWithoutEffect == [])
    }

    @Test func `the values of an envelope take precedence over the defaults`() throws {
        var defaults = RequestDefaults()
        defaults.appGroup = try #require(AppGroupName("group.flag"))
        defaults.budget = .seconds(3)
        defaults.dialect = "sendios"
        defaults.network = .wifi
        defaults.permissions.download = false
        let (request, error) = try read(
            """
            {"id":"x","appGroup":"group.own","profile":"ios","budget":"5s","dialect":"apns","onExpiry":"best-attempt",
             "permissions":{"download":true,"wifiOnly":true},"network":"cellular",
             "fallback":{"title":"T","body":"B","other":7},"recipient":"USR/ana","labels":["a","b"],"payload":{}}
            """, defaults)
        #expect(error == nil)
        #expect(request.id.description == "x")
        #expect(request.appGroup.description == "group.own")
        #expect(request.profile == .ios)
        #expect(request.budget == TimeBudget(received: instant, length: .seconds(5)))
        #expect(request.dialect == "apns")
        #expect(request.onExpiry == .bestAttempt)
        #expect(request.network == .cellular)
        #expect(request.fallback == NotificationText(title: "T", body: "B"))
        var permissions = Permissions()
        permissions.wifiOnly = true
        #expect(request.permissions == permissions)
        #expect(request.recipient == "USR/ana")
        #expect(request.labels == ["a", "b"])
        #expect(request.receivedAt == date)
    }

    @Test(arguments: [
        #"{"a":1}"#, #"{"payload":{"a":1}}"#, #"{"id":null,"budget":null,"network":null,"payload":{"a":1}}"#,
    ])
    func `a default applies if the envelope has no value for the key`(text: String) throws {
        var defaults = RequestDefaults()
        defaults.appGroup = try #require(AppGroupName("group.flag"))
        defaults.budget = .seconds(3)
        defaults.dialect = "sendios"
        defaults.network = .cellular
        defaults.permissions.wifiOnly = true
        let (request, error) = try read(text, defaults)
        #expect(error == nil)
        #expect(request.appGroup.description == "group.flag")
        #expect(request.budget == TimeBudget(received: instant, length: .seconds(3)))
        #expect(request.dialect == "sendios")
        #expect(request.network == .cellular)
        #expect(request.permissions == defaults.permissions)
        #expect(request.onExpiry == nil)
        #expect(request.fallback == nil)
    }

    @Test func `only the preparation of a named message has an ID of its form`() throws {
        let id = try #require(RequestID("message-7-ios"))
        let ways: [(String, @Sendable (inout Submission) -> Void)] = [
            (#"{"id":"message-7-ios","payload":{"a":1}}"#, { _ in }), (#"{"a":1}"#, { $0.id = id }),
            (#"{"payload":{"a":1}}"#, { $0.weakID = id }),
        ]
        for (text, way) in ways {
            #expect(try read(text, way: way).error?.key == "id", "\(text)")
            let preparation = try read(text) {
                way(&$0)
                $0.isPreparation = true
            }
            #expect(preparation.error == nil && preparation.request.id == id, "\(text)")
        }
        for id in ["message-7", "message-x-ios", "message-7-phone"] {
            #expect(try read(#"{"id":"\#(id)","payload":{"a":1}}"#).error == nil)
        }
    }

    @Test func `only a line of a stored batch has an ID of its form`() throws {
        let id = try #require(RequestID("batch-0123456789abcdef-7"))
        let ways: [(String, @Sendable (inout Submission) -> Void)] = [
            (#"{"id":"batch-0123456789abcdef-7","payload":{"a":1}}"#, { _ in }), (#"{"a":1}"#, { $0.id = id }),
            (#"{"payload":{"a":1}}"#, { $0.weakID = id }),
        ]
        for (text, way) in ways { #expect(try read(text, way: way).error?.key == "id", "\(text)") }
        let line = try read(#"{"payload":{"a":1}}"#) { ($0.weakID, $0.isBatched) = (id, true) }
        #expect(line.error == nil && line.request.id == id)
        for id in ["batch-7", "batch-0123456789abcdeg-7", "batch-0123456789abcdef-", "batch-0123456789abcdef-x"] {
            #expect(try read(#"{"id":"\#(id)","payload":{"a":1}}"#).error == nil)
        }
    }

    @Test func `the ID is read from the envelope or the submission, and is new if both have no ID`() throws {
        #expect(try read(#"{"id":"own","payload":{"id":"inner"}}"#).request.id.description == "own")
        for text in [#"{"payload":{"id":"inner"}}"#, #"{"id":"inner","aps":{}}"#] {
            let first = try read(text).request.id.description
            #expect(first.hasPrefix("01a3185c-5000-7"), "a version 7 UUID of the date")
            #expect(try read(text).request.id.description != first)
        }
        #expect(try read(#"{"aps":{}}"#) { $0.id = RequestID("key") }.request.id.description == "key")
        #expect(try read(#"{"aps":{}}"#) { $0.weakID = RequestID("file") }.request.id.description == "file")
        #expect(
            try read(#"{"id":"own","payload":{}}"#) { $0.weakID = RequestID("file") }.request.id.description == "own")
    }

    @Test(
        arguments: [
            (#"{"id":"own","payload":{}}"#, nil), (#"{"id":"other","payload":{}}"#, "id"),
            (#"{"appGroup":"group.way","payload":{}}"#, nil), (#"{"appGroup":"group.other","payload":{}}"#, "appGroup"),
            (#"{"budget":"5s","payload":{}}"#, "budget"),
            (#"{"deadline":"2027-01-15T08:00:05Z","payload":{}}"#, "deadline"), (#"{"budget":null,"payload":{}}"#, nil),
        ] as [(String, String?)])
    func `an envelope that contradicts its submission is unusable`(text: String, key: String?) throws {
        let (request, error) = try read(text) { submission in
            submission.id = RequestID("own")
            submission.group = AppGroupName("group.way")
            submission.budget = .seconds(2)
        }
        #expect(error?.key == key)
        guard error == nil else { return }
        #expect(request.id.description == "own")
        #expect(request.appGroup.description == "group.way")
        #expect(request.budget == TimeBudget(received: instant, length: .seconds(2)))
    }

    /// Labels with one label of 130 bytes, and labels with one label too many.
    private static let long = #"["\#(String(repeating: "ä", count: 65))"]"#
    private static let many = "[" + Array(repeating: #""a""#, count: 33).joined(separator: ",") + "]"

    private static let wrong: [(key: String, values: [String])] = [
        ("id", ["7", "true", "[]", "{}", #""""#, #""../x""#, #"".x""#, #""a b""#, #""a/b""#]),
        ("appGroup", ["7", "true", "[]", "{}", #""""#, #"".hidden""#, #""..""#, #""a/b""#, #""a_b""#]),
        ("profile", ["7", "[]", #""palm-pilot""#, #""iOS""#]),
        ("budget", ["5", "5.5", "[]", #""5""#, #""-5s""#, #""3601s""#, #""2h""#, #""soon""#, #""""#]),
        ("deadline", ["1800000000", "{}", #""tomorrow""#, #""2027-01-15""#, #""""#]),
        ("dialect", ["7", #""myspace""#, #""APNS""#, #""""#]),
        ("onExpiry", ["7", "{}", #""give-up""#, #""fallback""#]),
        ("network", ["7", "false", #""carrier-pigeon""#]),
        ("permissions", ["7", #""all""#, "[]", "true"]),
        ("fallback", ["7", #""text""#, "[]"]),
        ("receipts", ["1", #""true""#, "{}"]),
        ("callback", ["7", "[]", "{}", #""gateway""#, #""ftp://a.example/""#]),
        ("locale", ["7", "[]"]),
        ("priority", ["2", "0", "10.5", #""10""#, "true"]),
        ("headers", ["7", #""apns-topic: x""#, "[]"]),
        ("labels", ["7", "{}", #""a""#, "[7]", "[null]", #"[""]"#, #"["a",["b"]]"#]),
        ("labels", [long, many]),
        (
            "recipient",
            [
                "7", "[]", #""""#, #""a\nb""#, #""a\u0085b""#, #""a\u009bb""#, #""a\u2028b""#, #""a\u202eb""#,
                #""a\u007fb""#,
            ]
        ),
    ]

    @Test(arguments: [
        (#"{"recipient":"a\u001b[31mb\u0085\u2028","payload":{}}"#, #""aU+001B[31mbU+0085U+2028" is not "#),
        (#"{"permissions":{"a\u001b":true},"payload":{}}"#, "is not a permission"),
        (#"{"priority":7,"recipient":"\u009b","payload":{}}"#, #""U+009B" is not "#),
    ])
    func `an error shows a sender's text without terminal control characters`(
        text: String, problem: String
    ) throws {
        let error = try #require(try read(text).error)
        #expect(error.problem.hasPrefix(problem), "\(error)")
        #expect(!"\(error)".unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test(arguments: [
        ("https://user:secret@a.example/", "the URL has a user name or password: remove them"),
        ("https://a.example:0/", "the port of the URL is not a number from 1 to 65535"),
        ("https:///done", "the URL has no host"),
    ])
    func `an error in the callback has the reason, without the text`(url: String, problem: String) throws {
        #expect(try read(#"{"callback":"\#(url)","payload":{}}"#).error?.problem == problem)
    }

    @Test(arguments: [
        (#"["a",7]"#, "label 2 is a number, not a string of 1 to 128 bytes"),
        (long, "label 1 has 130 bytes, not a string of 1 to 128 bytes"),
        (many, "has 33 labels: write at most 32"),
        ("{}", "is an object, not a list"),
    ])
    func `an error in the labels says which label is wrong`(labels: String, problem: String) throws {
        #expect(try read(#"{"labels":\#(labels),"payload":{}}"#).error?.problem == problem)
    }

    @Test func `an error repeats only the beginning of a long text`() throws {
        let long = String(repeating: "x", count: 10_000)
        let error = try #require(try read(#"{"recipient":"\#(long)","payload":{}}"#).error)
        #expect(error.problem.utf8.count < 200)
        #expect(error.problem.contains("xxx…\" is not "))
    }

    @Test(arguments: ["Zoë", "USR/ana@example.org", "👩‍👩‍👧", "مریم", "a\u{200C}b"])
    func `the name of a recipient may have letters of any script`(name: String) throws {
        let (request, error) = try read(#"{"recipient":"\#(name)","payload":{"a":1}}"#)
        #expect(error == nil && request.recipient == name)
    }

    @Test(arguments: wrong.flatMap { entry in entry.values.map { (entry.key, $0) } })
    func `a wrong value makes the envelope unusable, and the error names the key`(key: String, value: String) throws {
        let (request, error) = try read(#"{"\#(key)":\#(value),"payload":{"a":1}}"#)
        #expect(error?.key == key)
        let problem = try #require(error).problem
        #expect(!problem.isEmpty)
        #expect("\(try #require(error))" == "\(key): \(problem)")
        #expect(request.payload == ["a": 1], "an invalid envelope keeps its payload")
    }

    @Test(arguments: [
        (#"{"download":1}"#, "permissions.download"), (#"{"service":"no"}"#, "permissions.service"),
        (#"{"wifiOnly":null}"#, "permissions.wifiOnly"), (#"{"wifi":true}"#, "permissions.wifi"),
        (#"{"Download":false}"#, "permissions.Download"),
    ])
    func `the error about a wrong permission names the key of the permission`(permissions: String, key: String) throws {
        #expect(try read(#"{"permissions":\#(permissions),"payload":{}}"#).error?.key == key)
    }

    @Test(arguments: [
        ("fallback-text", ExpiryPolicy.fallbackText), ("best-attempt", .bestAttempt), ("original", .original),
    ])
    func `onExpiry accepts the name of every policy`(name: String, policy: ExpiryPolicy) throws {
        #expect(try read(#"{"onExpiry":"\#(name)","payload":{}}"#).request.onExpiry == policy)
    }

    @Test func `every dialect of the table can be requested`() throws {
        for dialect in DialectTable.standard.identifiers {
            #expect(try read(#"{"dialect":"\#(dialect)","payload":{}}"#).request.dialect == dialect)
        }
    }

    @Test(arguments: ["title", "subtitle", "body"])
    func `the error about a fallback line that is not a string names the key`(line: String) throws {
        let object = try #require(try JSONParser.value(of: #"{"fallback":{"\#(line)":7},"payload":{}}"#).object)
        let reader = EnvelopeReader(defaults: RequestDefaults(), dialects: DialectTable(dialects: []))
        let error = reader.request(from: Submission(object: object, arrival: ManualClock().reading)).error
        #expect(error == EnvelopeError(key: "fallback.\(line)", problem: "is a number, not a string"))
    }
}
