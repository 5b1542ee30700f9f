import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct WebPushDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        WebPushDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"web_push":8030,"notification":{}}"#, "web_push"),
            (#"{"web_push":8030.0,"notification":{"title":"T"},"aps":{}}"#, "web_push"),
            (#"{"title":"T","image":"u"}"#, "title+image"), (#"{"title":"T","badge":"u","icon":"u"}"#, "title+icon"),
            (#"{"title":"T","badge":"u"}"#, "title+badge"), (#"{"title":"T","actions":[]}"#, "title+actions"),
            (#"{"web_push":8030,"title":"T","image":"u"}"#, "title+image"),
            (#"{"web_push":8031,"notification":{}}"#, nil), (#"{"web_push":"8030","notification":{}}"#, nil),
            (#"{"web_push":8030}"#, nil), (#"{"web_push":8030,"notification":"x"}"#, nil), (#"{"title":"T"}"#, nil),
            (#"{"image":"u"}"#, nil), (#"{"title":7,"image":"u"}"#, nil), (#"{"title":"T","image":"u","aps":{}}"#, nil),
            (#"{"title":"T","body":"B","data":{}}"#, nil),
            // Messages of uniqush-push and Ably, whose text the web platform does not show.
            (#"{"service":"s","subscriber":"a","title":"T","msg":"B","badge":1,"img":"u"}"#, nil),
            (#"{"title":"T","msg":"B","icon":"u"}"#, nil), (#"{"title":"T","msg":7,"icon":"u"}"#, "title+icon"),
            (#"{"title":"T","body":"B","msg":"C","icon":"u"}"#, "title+icon"),
            (#"{"recipient":{},"notification":{"title":"T","icon":"u"},"apns":{"notification":{"body":"B"}}}"#, nil),
            (#"{"notification":{"title":"T","icon":"u"},"web":{"notification":{"body":"B"}}}"#, nil),
            (#"{"notification":{"title":"T","body":"B"},"apns":{"notification":{}}}"#, "notification.title+body"),
            (#"{"notification":{"title":"T","icon":"u"},"apns":7}"#, "notification.title+icon"),
        ] as [(String, String?)])
    func `declarative messages and notification options are recognised`(text: String, rule: String?) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(WebPushDialect().detect(object) == rule)
    }

    @Test(arguments: [("", ""), (#""web_push":8030,"notification":{"#, "}")])
    func `the image is the first media item for any order of the payload, and each media item has its role`(
        before: String, after: String
    )
        throws
    {
        let media = try read(
            #"{\#(before)"title":"T","actions":[{"icon":"4"},{"action":"a","title":"A","icon":"5"}],"badge":"3","icon":"2","image":"1"\#(after)}"#
        ).media
        let prefix = before.isEmpty ? "" : "/notification"
        #expect(media.map(\.url) == ["1", "2", "3", "4", "5"])
        #expect(media.map(\.role) == [.attachment, .icon, .badge, .actionIcon, .actionIcon])
        #expect(media.allSatisfy { $0.platform == nil && $0.identifier == nil && $0.declaredType == nil })
        #expect(
            media.map(\.path?.description) == [
                "\(prefix)/image", "\(prefix)/icon", "\(prefix)/badge", "\(prefix)/actions/0/icon",
                "\(prefix)/actions/1/icon",
            ])
    }

    @Test func `only the object notification of a declarative message is read`() throws {
        let payload = try read(
            #"{"web_push":8030,"title":"x","image":"x","notification":{"title":"T","body":"B","navigate":"https://a.example/"}}"#
        )
        #expect(payload.successText == NotificationText(title: "T", body: "B"))
        #expect(payload.media == [])
        #expect(payload.details == ["link": "https://a.example/"])
    }

    @Test(
        arguments: [
            (#""notification":{"app_badge":3}"#, 3), (#""notification":{},"app_badge":4"#, 4),
            (#""notification":{"app_badge":3},"app_badge":4"#, 3), (#""notification":{"app_badge":"3"}"#, 3),
            (#""notification":{"app_badge":true}"#, nil), (#""notification":{"app_badge":-1}"#, nil),
            (#""notification":{"app_badge":1.5}"#, nil), (#""notification":{"app_badge":0}"#, 0),
            (#""notification":{"badge":3}"#, nil), (#""notification":{"app_badge":"three"}"#, nil),
            (#""notification":{"app_badge":"-1"}"#, nil), (#""notification":{"app_badge":""},"app_badge":"4""#, 4),
        ] as [(String, Int?)])
    func `the app's badge is read from a number or from a string of digits`(members: String, badge: Int?) throws {
        #expect(try read(#"{"web_push":8030,\#(members)}"#).aps.badge == badge)
    }

    @Test(
        arguments: [("false", "default", false), ("true", nil, true), ("null", nil, nil), ("1", nil, nil)]
            as [(String, String?, Bool?)])
    func `a notification has a sound only if silent is false`(silent: String, sound: String?, detail: Bool?) throws {
        let payload = try read(#"{"title":"T","image":"u","silent":\#(silent)}"#)
        #expect(payload.aps.sound?.name == sound)
        #expect(payload.details["silent"]?.bool == detail)
        #expect(!payload.isSilent)
    }

    @Test func `the tag is in the details, and does not set the thread`() throws {
        let payload = try read(#"{"title":"T","image":"u","tag":"crossword"}"#)
        #expect(payload.aps.threadIdentifier == nil)
        #expect(payload.details == ["tag": "crossword"])
    }

    @Test func `the dialect reads the actions, the link, the language and the direction of a notification`() throws {
        let payload = try read(
            #"{"title":"T","lang":"ar","dir":"rtl","data":{"url":"https://a.example/"},"actions":[{"action":"p","title":"Play"},{"action":"","title":"x"},{"action":"y"},{"title":"z"}]}"#
        )
        #expect(payload.actions == [NotificationAction(identifier: "p", title: "Play")])
        #expect(payload.details == ["link": "https://a.example/", "lang": "ar", "dir": "rtl"])
        #expect(payload.providerID == nil)
    }

    @Test(arguments: [
        #"{"title":7,"body":[],"image":7,"icon":{},"badge":[],"actions":7,"data":"x","tag":7,"lang":7,"dir":7,"silent":"no"}"#,
        #"{"actions":["u",7,null,{"icon":7}],"data":{"url":7},"image":""}"#,
        #"{"web_push":8030,"notification":{"title":null,"image":null,"icon":7,"navigate":7,"app_badge":{}}}"#,
        #"{"image":"u","image":7,"navigate":""}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws {
        #expect(try read(text).saysNothing)
    }
}
