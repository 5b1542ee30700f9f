import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct BatchDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        BatchDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"com.batch":{}}"#, "com.batch"), (#"{"com.batch":"{}"}"#, "com.batch"),
            (#"{"com.batch":7}"#, "com.batch"),
            (#"{"com":{"batch":{}}}"#, nil), (#"{"com.batch.at":{}}"#, nil), (#"{"at":{"u":"u"}}"#, nil),
            (#"{"aps":{}}"#, nil),
        ] as [(String, String?)])
    func `a Batch push is recognised by its key`(text: String, rule: String?) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(BatchDialect().detect(object) == rule)
    }

    @Test func `the dialect reads the attachment, the ID and the link of a Batch push`() throws {
        let payload = try read(
            """
            {"aps":{"alert":{"title":"T","body":"B"}},
             "com.batch":{"i":"push-1","l":"app://1","t":"c","at":{"u":"u","t":"image/png"}}}
            """)
        let path = JSONPath([.key("com.batch"), .key("at"), .key("u")])
        #expect(
            payload.media.map(\.withoutClaims) == [
                MediaReference(url: "u", path: path, declaredType: .mimeType("image/png"))
            ])
        #expect(payload.providerID == "push-1")
        #expect(payload.details == ["link": "app://1"])
        #expect(payload.successText == NotificationText(title: "T", body: "B"))
        #expect(payload.fallbackText == nil)
        #expect(payload.actions == [])
    }

    @Test func `com.batch may be a JSON string instead of an object`() throws {
        let payload = try read(#"{"com.batch":"{\"i\":\"push-1\",\"at\":{\"u\":\"u\",\"t\":\"video/mp4\"}}"}"#)
        let path = JSONPath([.key("com.batch"), .embedded, .key("at"), .key("u")])
        #expect(
            payload.media.map(\.withoutClaims) == [
                MediaReference(url: "u", path: path, declaredType: .mimeType("video/mp4"))
            ])
        #expect(payload.providerID == "push-1")
    }

    @Test(
        arguments: [
            (#"{"at":{"u":"u"}}"#, ["u"]), (#"{"at":{"u":"u","t":7}}"#, ["u"]), (#"{"at":{"u":"u","t":""}}"#, ["u"]),
            (#"{"at":{"t":"image/png"}}"#, []), (#"{"at":{"u":7,"t":"image/png"}}"#, []), (#"{"at":{"u":["u"]}}"#, []),
            (#"{"at":{"u":null}}"#, []), (#"{"at":{"u":""}}"#, []), (#"{"at":{"u":"u","u":"v"}}"#, ["v"]),
            (#"{"at":[{"u":"u"}]}"#, []), (#"{"at":"u"}"#, []), (#"{"at":7,"i":{},"l":7}"#, []), (#"{"u":"u"}"#, []),
            ("7", []), ("null", []), ("[]", []), (#""""#, []), (#""{\"at\":{\"u\":\"u\"}""#, []),
        ] as [(String, [String])])
    func `a value of a wrong type counts as missing`(message: String, urls: [String]) throws {
        let payload = try read(#"{"com.batch":\#(message)}"#)
        #expect(payload.media.map(\.url) == urls)
        #expect(payload.media.allSatisfy { $0.declaredType == nil })
        #expect(payload.providerID == nil)
        #expect(payload.details.isEmpty)
    }

    @Test func `the texts and images of Android and web pushes are read at the keys of each platform`() throws {
        let android = try read(
            #"{"title":"T","msg":"B","com.batch":"{\"bp\":{\"u\":\"p\"},\"bi\":{\"u\":\"i\"},\"a\":[{\"l\":\"L\"}]}"}"#)
        #expect(android.successText == NotificationText(title: "T", body: "B"))
        #expect(android.media.map(\.url) == ["p", "i"])
        #expect(android.media.map(\.role) == [.attachment, .icon])
        #expect(android.actions == [NotificationAction(identifier: "L", title: "L")])
        let web = try read(#"{"title":"T","alert":"B","com.batch":{"imu":"p","icu":"i","siu":"b","aa":[{"i":"a"}]}}"#)
        #expect(web.successText == NotificationText(title: "T", body: "B"))
        #expect(web.media.map(\.role) == [.attachment, .icon, .badge, .actionIcon])
    }

    @Test(
        arguments: [
            (#"{"message":{},"recipients":{}}"#, "message+recipients"), (#"{"message":{},"recipients":[]}"#, nil),
            (#"{"message":"x","recipients":{}}"#, nil), (#"{"recipients":{}}"#, nil),
        ] as [(String, String?)])
    func `a Batch request is recognised by the keys of its message and its recipients`(text: String, rule: String?)
        throws
    {
        #expect(BatchDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }
}
