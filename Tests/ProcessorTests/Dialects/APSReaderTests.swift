import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

/// Tests of the values that every dialect reads from `aps`.
@Suite struct APSReaderTests {
    private func read(_ aps: String) throws -> PushPayload {
        APNsDialect().read(JSONNode(try JSONParser.value(of: #"{"aps":\#(aps)}"#)))
    }

    @Test(arguments: [
        (#""b""#, NotificationText(body: "b")), (#""""#, NotificationText(body: "")), ("7", NotificationText()),
        (#"{"title":"t","subtitle":"s","body":"b"}"#, NotificationText(title: "t", subtitle: "s", body: "b")),
        (#"{"title":null,"body":"b"}"#, NotificationText(body: "b")), ("{}", NotificationText()),
    ])
    func `an alert is read from a string or from a dictionary`(alert: String, text: NotificationText) throws {
        #expect(try read(#"{"alert":\#(alert)}"#).successText == text)
    }

    @Test(
        arguments: [
            ("3", 3), ("0", 0), ("3.0", 3), ("\"3\"", nil), ("3.5", nil), ("true", nil), ("null", nil), ("1e99", nil),
        ] as [(String, Int?)])
    func `a badge is read only if it is a whole number`(badge: String, expected: Int?) throws {
        #expect(try read(#"{"badge":\#(badge)}"#).aps.badge == expected)
    }

    @Test func `a sound is read from a name or a dictionary, and its volume is limited to 0...1`() throws {
        #expect(try read(#"{"sound":"a.caf"}"#).aps.sound == NotificationSound(name: "a.caf"))
        #expect(try read(#"{"sound":7}"#).aps.sound == nil)
        var sound = NotificationSound(name: "foghorn.caf")
        sound.critical = true
        sound.volume = 0.8
        #expect(try read(#"{"sound":{"critical":1,"name":"foghorn.caf","volume":0.8}}"#).aps.sound == sound)
        #expect(try read(#"{"sound":{}}"#).aps.sound == NotificationSound(name: "default"))
        for (volume, expected) in [("7", 1.0), ("-1", 0.0), ("1e400", 1.0), ("\"1\"", 1.0)] {
            #expect(try read(#"{"sound":{"volume":\#(volume)}}"#).aps.sound?.volume == expected)
        }
    }

    @Test(arguments: [
        (#""passive""#, InterruptionLevel.passive), (#""active""#, .active), (#""time-sensitive""#, .timeSensitive),
        (#""critical""#, .critical), (#""loud""#, .active), ("7", .active), ("null", .active),
    ])
    func `an unknown interruption level counts as active`(level: String, expected: InterruptionLevel) throws {
        #expect(try read(#"{"interruption-level":\#(level)}"#).aps.interruptionLevel == expected)
    }

    @Test(arguments: [
        ("0.75", 0.75), ("0", 0), ("1", 1), ("90", 1), ("-3", 0), ("\"1\"", 0), ("1e400", 0),
    ])
    func `the relevance score is limited to 0 to 1`(score: String, expected: Double) throws {
        #expect(try read(#"{"relevance-score":\#(score)}"#).aps.relevanceScore == expected)
    }

    @Test func `the other keys of aps are read only if their values are strings`() throws {
        let aps = try read(
            """
            {"alert":{"launch-image":"L"},"thread-id":"t","category":"c","target-content-id":"w","filter-criteria":"f"}
            """
        ).aps
        #expect(aps.launchImageName == "L")
        #expect(aps.threadIdentifier == "t")
        #expect(aps.category == "c")
        #expect(aps.targetContentIdentifier == "w")
        #expect(aps.filterCriteria == "f")
        let wrong = try read(
            """
            {"alert":{"launch-image":7},"thread-id":7,"category":[],"target-content-id":{},"filter-criteria":true}
            """
        ).aps
        let texts = [
            wrong.launchImageName, wrong.threadIdentifier, wrong.category, wrong.targetContentIdentifier,
            wrong.filterCriteria,
        ]
        #expect(texts == [nil, nil, nil, nil, nil])
    }

    @Test(arguments: [
        (#"{"content-available":1}"#, true), (#"{"content-available":true}"#, true),
        (#"{"content-available":0}"#, false),
        ("{}", false), (#"{"content-available":1,"alert":"x"}"#, false), (#"{"content-available":1,"alert":{}}"#, true),
        (#"{"content-available":1,"alert":""}"#, true), (#"{"content-available":1,"badge":1}"#, false),
        (#"{"content-available":1,"sound":"x"}"#, false), (#"{"content-available":1,"badge":null,"sound":null}"#, true),
        (#"{"content-available":"1"}"#, false), (#"{"content-available":1,"mutable-content":1}"#, true),
    ])
    func `a push is silent if it has content-available without alert, badge or sound`(
        aps: String, isSilent: Bool
    ) throws {
        #expect(try read(aps).isSilent == isSilent)
    }

    @Test(arguments: [
        (#"{"mutable-content":1,"alert":"x"}"#, true, true),
        (#"{"mutable-content":true,"alert":{"body":"x"}}"#, true, true),
        (#"{"mutableContent":1,"alert":"x"}"#, false, true), (#"{"mutable-content":"1","alert":""}"#, false, false),
        (#"{"mutable-content":1}"#, true, false),
    ])
    func `the reader detects mutable-content and a visible alert`(aps: String, isMutable: Bool, hasAlert: Bool)
        throws
    {
        let fields = try read(aps).aps
        #expect(fields.mutableContent == isMutable)
        #expect(fields.hasVisibleAlert == hasAlert)
    }
}
