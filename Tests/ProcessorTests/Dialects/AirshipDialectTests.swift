import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct AirshipDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        AirshipDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    /// Reads an attachment beside an alert with the title `A` and the body `B`.
    private func read(attachment: String) throws -> PushPayload {
        try read(#"{"aps":{"alert":{"title":"A","body":"B"}},"com.urbanairship.media_attachment":\#(attachment)}"#)
    }

    @Test(
        arguments: [
            (#"{"com.urbanairship.media_attachment":{}}"#, "com.urbanairship.media_attachment"),
            (#"{"_":"x","com.urbanairship.media_attachment":7}"#, "com.urbanairship.media_attachment"),
            (#"{"_":"x","com.urbanairship.metadata":"e30="}"#, "com.urbanairship.metadata"), (#"{"_":"x"}"#, "_"),
            (#"{"_":""}"#, nil), (#"{"_":{}}"#, nil), (#"{"_":null}"#, nil), (#"{"_id":"x"}"#, nil),
            (#"{"com.urbanairship":{}}"#, nil), (#"{"aps":{}}"#, nil),
        ] as [(String, String?)])
    func `an Airship payload is recognised by any of three keys`(text: String, rule: String?) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(AirshipDialect().detect(object) == rule)
    }

    @Test func `an Airship push without the media attachment key has no media item`() throws {
        let payload = try read(#"{"_":"send","com.urbanairship.metadata":"e30=","aps":{"alert":"B"},"url":"u"}"#)
        #expect(payload.media == [])
        #expect(payload.successText == NotificationText(body: "B"))
        #expect(payload.fallbackText == nil)
    }

    @Test func `the media items in urls keep their order, identifiers and JSON paths`() throws {
        let payload = try read(
            attachment: #"{"urls":[{"url":"b","url_id":"x"},{"url":"a"},{"url":"c","url_id":""}],"url":"z"}"#)
        func item(_ url: String, _ index: Int, _ identifier: String?) -> MediaReference {
            let steps: [JSONPath.Step] = [
                .key("com.urbanairship.media_attachment"), .key("urls"), .index(index), .key("url"),
            ]
            return MediaReference(url: url, path: JSONPath(steps), identifier: identifier)
        }
        #expect(payload.media == [item("b", 0, "x"), item("a", 1, nil), item("c", 2, nil)])
    }

    @Test(
        arguments: [
            (#"{"url":"a"}"#, ["a"]), (#"{"url":["a","b"]}"#, ["a", "b"]), (#"{"url":[]}"#, []),
            (#"{"urls":[],"url":"a"}"#, []), (#"{"urls":7,"url":"a"}"#, ["a"]), (#"{"urls":["a"],"url":"b"}"#, []),
            (#"{"url":[7,"a",null,["b"],{"url":"c"}]}"#, ["a"]), (#"{"url":7}"#, []), (#"{"url":{"url":"a"}}"#, []),
            (#"{"urls":[7,{"url":7},{"url":"a","url_id":[]},null]}"#, ["a"]), (#"{"urls":null,"url":null}"#, []),
            (#"{"url":"a","url":"b"}"#, ["b"]), ("{}", []), ("7", []), ("null", []), (#"["a"]"#, []),
            (#""{\"url\":\"a\"}""#, []), (#"{"url":"a","content":7,"options":[],"thumbnail_id":7}"#, ["a"]),
        ] as [(String, [String])])
    func `urls takes precedence over url, even if it is empty`(attachment: String, urls: [String]) throws {
        #expect(try read(attachment: attachment).media.map(\.url) == urls)
    }

    @Test(
        arguments: [
            (#""thumbnail_id":"x""#, [false, true, true]), (#""thumbnail_id":"nobody""#, [true, true, true]),
            (#""thumbnail_id":"x","options":{"hidden":false}"#, [false, true, true]),
            (#""thumbnail_id":"x","options":{"hidden":true}"#, [true, true, true]),
            (#""options":{"hidden":true}"#, [true, true, true]),
            (#""options":{"hidden":"true"}"#, [false, false, false]),
            (#""thumbnail_id":"""#, [false, false, false]), (#""thumbnail_id":7"#, [false, false, false]),
            (#""thumbnail_id":"x","options":{"crop":{}}"#, [false, true, true]),
        ] as [(String, [Bool])])
    func `thumbnail_id hides the thumbnails of all other media items`(keys: String, hidden: [Bool]) throws {
        let urls = #""urls":[{"url":"a","url_id":"x"},{"url":"b","url_id":"y"},{"url":"c"}]"#
        #expect(try read(attachment: "{\(urls),\(keys)}").media.map(\.options.thumbnailHidden) == hidden)
    }

    @Test func `the options apply to every media item`() throws {
        let options = #"{"crop":{"height":0.4,"width":0.3,"y":0.2,"x":0.1},"time":4.5,"hidden":true}"#
        let payload = try read(attachment: #"{"url":["a","b"],"options":\#(options)}"#)
        var expected = AttachmentOptions()
        expected.thumbnailClippingRect = .init(x: 0.1, y: 0.2, width: 0.3, height: 0.4)
        expected.thumbnailTime = 4.5
        expected.thumbnailHidden = true
        #expect(payload.media.map(\.options) == [expected, expected])
    }

    @Test(arguments: [
        #"{}"#, #"{"y":0,"width":0.5,"height":1}"#, #"{"x":10,"y":0,"width":0.5,"height":1}"#,
        #"{"x":-0.1,"y":0,"width":0.5,"height":1}"#, #"{"x":"0","y":0,"width":0.5,"height":1}"#, "7", #""""#,
        "[0,0,1,1]",
    ])
    func `all options are ignored if the crop is not a valid rectangle`(crop: String) throws {
        let payload = try read(attachment: #"{"url":"a","options":{"crop":\#(crop),"time":4.5,"hidden":true}}"#)
        #expect(payload.media.map(\.options) == [AttachmentOptions()])
    }

    @Test(
        arguments: [
            (#"{"time":0}"#, 0), (#"{"crop":null,"time":2}"#, 2), (#"{"time":-1}"#, nil), (#"{"time":"2"}"#, nil),
            (#"{"time":1e400}"#, nil), ("7", nil), ("[]", nil),
        ] as [(String, Double?)])
    func `a negative thumbnail time is ignored`(options: String, time: Double?) throws {
        let payload = try read(attachment: #"{"url":"a","options":\#(options)}"#)
        #expect(payload.media.first?.options.thumbnailTime == time)
    }

    @Test func `the content of an attachment replaces each line of the alert if the attachment has media`() throws {
        let payload = try read(attachment: #"{"url":"a","content":{"title":"T","subtitle":"S","body":7}}"#)
        #expect(payload.successText == NotificationText(title: "T", subtitle: "S", body: "B"))
        #expect(payload.fallbackText == NotificationText(title: "A", body: "B"))
    }

    @Test(arguments: [
        #"{"content":{"title":"T"}}"#, #"{"urls":[],"content":{"title":"T"}}"#, #"{"url":"a"}"#,
        #"{"url":"a","content":{}}"#, #"{"url":"a","content":"T"}"#, #"{"url":"a","content":{"title":{}}}"#,
    ])
    func `an attachment without media or without content causes no fallback text`(attachment: String) throws {
        let payload = try read(attachment: attachment)
        #expect(payload.successText == NotificationText(title: "A", body: "B"))
        #expect(payload.fallbackText == nil)
    }

    @Test(
        arguments: [
            (#""^d":"app://1","^u":"https://a.example""#, "app://1"), (#""deep_link_action":"app://1""#, "app://1"),
            (#""^u":"https://a.example""#, "https://a.example"),
            (#""open_external_url_action":"https://a.example","^d":7"#, "https://a.example"), (#""^d":"""#, nil),
        ] as [(String, String?)])
    func `the link is read from the action that opens a link`(keys: String, link: String?) throws {
        #expect(try read(#"{"_":"x",\#(keys)}"#).details["link"]?.string == link)
    }

    @Test func `the details contain the values that the SDK reports for a push`() throws {
        let payload = try read(#"{"_":"send","_uamid":"rich","com.urbanairship.metadata":"e30="}"#)
        #expect(payload.providerID == "send")
        #expect(payload.details == ["metadata": "e30=", "messageId": "rich"])
        #expect(payload.actions == [])
    }

    @Test(
        arguments: [
            (#"{"com.urbanairship.push.ALERT":"B","com.urbanairship.metadata":"e30="}"#, "com.urbanairship.push.*"),
            (#"{"message":{"data":{"com.urbanairship.push.PUSH_ID":"p"}}}"#, "message.data.com.urbanairship.push.*"),
            (#"{"audience":{"tag":"t"},"notification":{}}"#, "audience+notification"),
            (#"{"audience":"all","notification":{}}"#, "audience+notification"),
            (#"{"audience":"some","notification":{}}"#, nil),
            (#"{"platform":"all","audience":"all","notification":{"alert":"B"}}"#, nil), (#"{"audience":"all"}"#, nil),
        ] as [(String, String?)])
    func `Android's data and a request are recognised by their keys`(text: String, rule: String?) throws {
        #expect(AirshipDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test func `a request without a media item for Apple platforms keeps the text of its alert`() throws {
        let payload = try read(
            #"{"audience":"all","notification":{"alert":"B","ios":{"media_attachment":{"content":{"body":"C"}}}}}"#)
        #expect(payload.successText == NotificationText(body: "B"))
        #expect(payload.fallbackText == nil)
    }
}
