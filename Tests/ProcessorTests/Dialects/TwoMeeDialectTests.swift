import Foundation
import NotificationModel
import NotificationProcessor
import Testing

@Suite struct TwoMeeDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        TwoMeeDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#""playTime":1000000000000,"expiry":5"#, 1_000_000_300),
            (#""playTime":1000000000000,"expiry":0"#, 1_000_000_000),
            (#""playTime":1000000000500,"expiry":0.5"#, 1_000_000_030.5), (#""playTime":1000000000000"#, nil),
            (#""expiry":5"#, nil), (#""playTime":"1000000000000","expiry":5"#, nil),
            (#""playTime":1e400,"expiry":5"#, nil),
            (#""playTime":null,"expiry":null"#, nil),
        ] as [(String, Double?)])
    func `a message expires some minutes after its play time`(keys: String, seconds: Double?) throws {
        let expected = seconds.map { Date(timeIntervalSince1970: $0) }
        #expect(try read(#"{"appear2mee":{\#(keys)}}"#).expiresAt == expected)
        #expect(try read(#"{"fbText":"f","url":"u",\#(keys)}"#).expiresAt == expected)
    }

    @Test func `an expired message keeps its title above the vendor's default text`() throws {
        let push = try read(#"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B"}},"appear2mee":{}}"#)
        #expect(push.expiryText == NotificationText(title: "T", body: "Sorry, opportunity missed!"))
        let rest = try read(#"{"title":"T","text":"B","fbText":"f","url":"u"}"#)
        #expect(rest.expiryText == NotificationText(title: "T", body: "Sorry, opportunity missed!"))
    }

    @Test func `the REST shape has both media in order and its own text`() throws {
        let rest = try read(
            #"{"title":"T","subtitle":"S","text":"B","fbTitle":"t","fbSubtitle":"s","fbText":"b","holoPushUrl":"h","url":"u"}"#
        )
        #expect(rest.media.map(\.url) == ["u", "h"])
        #expect(rest.successText == NotificationText(title: "T", subtitle: "S", body: "B"))
        #expect(rest.fallbackText == NotificationText(title: "t", subtitle: "s", body: "b"))
    }

    @Test func `an action is the one to accept`() throws {
        #expect(
            try read(#"{"appear2mee":{"action":"Play"}}"#).actions == [
                NotificationAction(identifier: "accept", title: "Play")
            ])
        #expect(try read(#"{"appear2mee":{"action":7}}"#).actions == [])
    }

    @Test(arguments: [
        (#"{"appear2mee":{"stage":"prefetch"}}"#, true), (#"{"aps":{"content-available":1},"appear2mee":{}}"#, true),
        (#"{"aps":{"alert":"x"},"appear2mee":{"stage":"alert"}}"#, false), (#"{"appear2mee":{"stage":7}}"#, false),
    ])
    func `the first of the two pushes is silent`(text: String, isSilent: Bool) throws {
        #expect(try read(text).isSilent == isSilent)
    }

    @Test(arguments: [(#""msg""#, "msg"), ("7", "7"), (#""""#, nil), ("{}", nil)] as [(String, String?)])
    func `the message's id is the provider's`(id: String, expected: String?) throws {
        #expect(try read(#"{"appear2mee":{"id":\#(id)}}"#).providerID == expected)
    }

    @Test func `without a fallback there is none`() throws {
        #expect(try read(#"{"appear2mee":{"fbText":null}}"#).fallbackText == nil)
    }
}
