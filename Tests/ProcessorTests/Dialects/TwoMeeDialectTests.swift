import Base
import Foundation
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct TwoMeeDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        TwoMeeDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test func `a silent message with its keys at the top level has no text`() throws {
        let payload = try read(
            #"{"aps":{"content-available":1},"stage":"prefetch","title":"T","text":"B","urls":["u"]}"#)
        #expect(payload.isSilent && payload.successText.isBlank)
    }

    @Test(
        arguments: [
            (#""playTime":1000000000000,"expiry":5"#, 1_000_000_300),
            (#""playTime":1000000000000,"expiry":0"#, 1_000_000_000),
            (#""playTime":1000000000500,"expiry":0.5"#, 1_000_000_030.5), (#""playTime":1000000000000"#, nil),
            (#""expiry":5"#, nil), (#""playTime":"1000000000000","expiry":"5" "#, 1_000_000_300),
            (#""playTime":"soon","expiry":5"#, nil),
            (#""playTime":1e400,"expiry":5"#, nil),
            (#""playTime":null,"expiry":null"#, nil),
        ] as [(String, Double?)])
    func `a message expires the stated number of minutes after its play time`(keys: String, seconds: Double?) throws {
        let expected = seconds.map { Date(timeIntervalSince1970: $0) }
        #expect(try read(#"{"appear2mee":{\#(keys)}}"#).expiresAt == expected)
        #expect(try read(#"{"fbText":"f","url":"u",\#(keys)}"#).expiresAt == expected)
    }

    @Test func `an expired message has its own title and the vendor's default body`() throws {
        let push = try read(#"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B"}},"appear2mee":{}}"#)
        #expect(push.expiryText == NotificationText(title: "T", body: "Sorry, opportunity missed!"))
        let rest = try read(#"{"title":"T","text":"B","fbText":"f","url":"u"}"#)
        #expect(rest.expiryText == NotificationText(title: "T", body: "Sorry, opportunity missed!"))
    }

    @Test func `a REST request has its own texts, and its media items in the order url, holoPushUrl`() throws {
        let rest = try read(
            #"{"title":"T","subtitle":"S","text":"B","fbTitle":"t","fbSubtitle":"s","fbText":"b","holoPushUrl":"h","url":"u"}"#
        )
        #expect(rest.media.map(\.url) == ["u", "h"])
        #expect(rest.successText == NotificationText(title: "T", subtitle: "S", body: "B"))
        #expect(rest.fallbackText == NotificationText(title: "t", subtitle: "s", body: "b"))
    }

    @Test(arguments: [(#""Watch""#, "Watch"), ("7", "OK"), (#""""#, "OK"), ("null", "OK")])
    func `a message has the actions accept, dismiss and play, and accept has the payload's title`(
        action: String, title: String
    ) throws {
        let actions = try read(#"{"aps":{"alert":"B"},"appear2mee":{"action":\#(action)}}"#).actions
        #expect(actions.map(\.identifier) == ["accept", "dismiss", "play"])
        #expect(actions.map(\.title) == [title, "Dismiss", "Play"])
        #expect(try read(#"{"appear2mee":{"action":\#(action),"stage":"prefetch"}}"#).actions == [])
    }

    @Test(
        arguments: [
            ([], ["OK", "Dismiss", "Play", "Sorry, opportunity missed!"]),
            (["de"], ["Ansehen", "Weg", "Play", "Zu spät"]), (["de-AT", "de"], ["Ansehen", "Weg", "Los", "Zu spät"]),
            (["fr", "DE"], ["Ansehen", "Weg", "Play", "Zu spät"]),
            (["fr"], ["OK", "Dismiss", "Play", "Sorry, opportunity missed!"]),
        ] as [([String], [String])])
    func `each title and expired text is in the first of the receiver's languages that has this text`(
        languages: [String], texts: [String]
    ) throws {
        var settings = TwoMeeSettings()
        var (german, austrian) = (TwoMeeLabels(), TwoMeeLabels())
        (german.accept, german.dismiss, german.expiredText) = ("Ansehen", "Weg", "Zu spät")
        austrian.play = "Los"
        settings.languages = ["de": german, "de-at": austrian]
        let payload = JSONNode(try JSONParser.value(of: #"{"aps":{"alert":"B"},"appear2mee":{}}"#))
        let push = TwoMeeDialect(settings).read(payload, in: languages.compactMap { LanguageTag($0) })
        #expect(push.actions.map(\.title) + [push.expiryText?.body] == texts)
    }

    @Test(arguments: [
        (#"{"appear2mee":{"stage":"prefetch"}}"#, true), (#"{"aps":{"content-available":1},"appear2mee":{}}"#, true),
        (#"{"aps":{"alert":"x"},"appear2mee":{"stage":"alert"}}"#, false),
        (#"{"aps":{"alert":"x"},"appear2mee":{"stage":7}}"#, false),
        (#"{"appear2mee":{"stage":"PREFETCH"}}"#, true),
        (#"{"aps":{"alert":"x"},"appear2mee":{"stage":"prefech"}}"#, false),
        (#"{"aps":{"alert":"x"},"appear2mee":{"stage":"prefetch"}}"#, false), (#"{"appear2mee":{}}"#, true),
        (#"{"appear2mee":{"fbText":"f"}}"#, false), (#"{"aps":{"alert":{"loc-key":"K"}},"appear2mee":{}}"#, false),
        (#"{"appear2mee":{"STAGE":"prefetch"}}"#, true), (#"{"fbText":"f","url":"u","Stage":"prefetch"}"#, true),
        (#"{"aps":{"content-available":1},"fbText":"f","url":"u","stage":"Prefetch"}"#, true),
    ])
    func `a prefetch push is silent unless it has a visible alert`(text: String, isSilent: Bool) throws {
        #expect(try read(text).isSilent == isSilent)
    }

    @Test(arguments: [(#""msg""#, "msg"), ("7", "7"), (#""""#, nil), ("{}", nil)] as [(String, String?)])
    func `the provider ID is the message's ID`(id: String, expected: String?) throws {
        #expect(try read(#"{"appear2mee":{"id":\#(id)}}"#).providerID == expected)
    }

    @Test func `a message without a text in fbText has no fallback text`() throws {
        #expect(try read(#"{"appear2mee":{"fbText":null}}"#).fallbackText == nil)
        #expect(try read(#"{"aps":{"alert":"x"},"appear2mee":{"fbText":""}}"#).fallbackText == nil)
    }

    @Test(
        arguments: [
            (#"{"aps":{"alert":"B"},"appear2mee":{"kind":"face"}}"#, "face", "tothepoint.aiff"),
            (#"{"aps":{"alert":"B"},"appear2mee":{"kind":"video"}}"#, "video", "slowspringboard.aiff"),
            (#"{"aps":{"alert":"B","sound":"own.aiff"},"appear2mee":{"kind":"face"}}"#, "face", "own.aiff"),
            (#"{"aps":{"alert":"B"},"appear2mee":{"kind":"hologram"}}"#, nil, "slowspringboard.aiff"),
            (#"{"aps":{"alert":"B"},"appear2mee":{"kind":7}}"#, nil, "slowspringboard.aiff"),
            (#"{"aps":{"alert":"B"},"appear2mee":{}}"#, nil, "slowspringboard.aiff"),
            (#"{"aps":{"alert":"B"},"appear2mee":{"kind":"Face"}}"#, "face", "tothepoint.aiff"),
            (#"{"fbText":"f","url":"u","type":"HOLOPUSH"}"#, "face", "tothepoint.aiff"),
            (#"{"fbText":"f","url":"u","type":"TEXT","subType":"I"}"#, "image", "slowspringboard.aiff"),
            (#"{"fbText":"f","url":"u","type":"TEXT"}"#, "text", "slowspringboard.aiff"),
            (#"{"fbText":"f","url":"u","type":7,"kind":"face"}"#, "face", "tothepoint.aiff"),
            (#"{"fbText":"f","url":"u","type":"holopush"}"#, "face", "tothepoint.aiff"),
            (#"{"fbText":"f","url":"u","type":7}"#, nil, "slowspringboard.aiff"),
            (#"{"appear2mee":{"kind":"face","stage":"prefetch"}}"#, "face", nil),
        ] as [(String, String?, String?)])
    func `the kind of a push selects its sound if the push has no sound`(text: String, kind: String?, sound: String?)
        throws
    {
        let push = try read(text)
        #expect(push.details["kind"]?.string == kind)
        #expect(push.aps.sound?.name == sound)
    }

    @Test func `a message has the category of the vendor`() throws {
        #expect(
            try read(#"{"aps":{"alert":"B","category":"x"},"appear2mee":{}}"#).aps.category
                == "appear2meeNotificationCategory")
    }

    @Test func `the settings replace the category, the expired text, the accept title and the sounds`() throws {
        var settings = TwoMeeSettings()
        settings.category = "own"
        settings.expiredText = "Too late"
        settings.accept = "Yes"
        settings.sounds = ["face": "ring.caf"]
        let push = TwoMeeDialect(settings).read(
            JSONNode(try JSONParser.value(of: #"{"aps":{"alert":"B"},"appear2mee":{"kind":"face"}}"#)))
        #expect(push.aps.category == "own")
        #expect(push.expiryText?.body == "Too late")
        #expect(push.actions.map(\.title) == ["Yes", "Dismiss", "Play"])
        #expect(push.aps.sound?.name == "ring.caf")
    }

    @Test func `the details contain the keys of a push, and the pairs of a REST request`() throws {
        let push = try read(#"{"appear2mee":{"keys":{"page":"plan/week3"}}}"#)
        #expect(push.details["keys"] == ["page": "plan/week3"])
        let rest = try read(
            #"{"fbText":"f","url":"u","about":[{"key":"page","value":"p"},7,{"key":""},{"value":"x"},{"key":"n","value":1}]}"#
        )
        #expect(rest.details["keys"] == ["page": "p", "n": 1])
    }

    @Test(
        arguments: [
            (#"[["page","p"],["n",1]]"#, ["page": "p", "n": 1], []),
            (#"[{"key":"page","value":"p"},7,["a"]]"#, ["page": "p"], ["/appear2mee/keys/1", "/appear2mee/keys/2"]),
            (#""page=p""#, nil, ["/appear2mee/keys"]), ("null", nil, []),
        ] as [(String, JSONObject?, [String])])
    func `the value of keys is read only from a list of pairs, and any other value is reported`(
        keys: String, expected: JSONObject?, problems: [String]
    ) throws {
        let push = try read(#"{"aps":{"alert":"B"},"appear2mee":{"keys":\#(keys)}}"#)
        #expect(push.details["keys"]?.object == expected)
        #expect(push.problems.map(\.place.description) == problems)
        #expect(push.problems.allSatisfy { $0.rule == "2mee-keys" })
    }

    @Test func `a push without a text shows the fallback text, or is silent if it has no fallback text`() throws {
        let silent = try read(#"{"aps":{"mutable-content":1},"appear2mee":{"urls":["u"]}}"#)
        #expect(silent.isSilent && silent.actions == [])
        #expect(silent.problems.map(\.rule) == ["2mee-text-missing"])
        let shown = try read(#"{"fbText":"f","fbTitle":"t","url":"u"}"#)
        #expect(!shown.isSilent)
        #expect(shown.successText == NotificationText(title: "t", body: "f"))
        #expect(shown.problems.map(\.rule) == ["2mee-text-missing"])
        #expect(try read(#"{"appear2mee":{"stage":"prefetch"}}"#).problems == [])
    }

    @Test func `numbers and lists are read from strings in the data of a message to FCM`() throws {
        let push = try read(
            #"{"message":{"data":{"fbText":"f","text":"t","urls":"[\"u\"]","playTime":"1000000000000","expiry":"5"}}}"#)
        #expect(push.media.map(\.url) == ["u"])
        #expect(push.media.map(\.path?.description) == ["/message/data/urls/0"])
        #expect(push.expiresAt == Date(timeIntervalSince1970: 1_000_000_300))
        #expect(push.details["playTime"] == 1_000_000_000_000)
        #expect(push.successText.body == "t" && push.fallbackText?.body == "f")
        #expect(push.isFCMMessage)
    }

    @Test func `both pushes of a message share its files, which are leased until the message expires`() throws {
        let push = try read(#"{"appear2mee":{"id":"m","playTime":1000000000000,"expiry":5}}"#)
        #expect(push.sharesFiles)
        #expect(push.holdsFilesUntil == push.expiresAt)
    }
}
