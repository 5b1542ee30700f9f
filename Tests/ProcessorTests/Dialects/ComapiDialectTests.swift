import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct ComapiDialectTests {
    private static let jpeg = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkK"

    @Test(
        arguments: [
            (#"{"type":"image/png","data":""}"#, "data:image/png;base64,"),
            (#"{"type":"image/png","data":null}"#, "data:image/png;base64,"),
            (#"{"type":"video/mp4","data":7}"#, "data:video/mp4;base64,"),
            (#"{"type":"audio/mp3"}"#, "data:audio/mp3;base64,"),
            (#"{"type":"application/octet-stream","data":""}"#, "data:application/octet-stream;base64,"),
            (#"{"type":"application/octet-stream","data":"AAAA"}"#, "data:application/octet-stream;base64,AAAA"),
            (#"{"type":"application/octet-stream","data":"JPEG"}"#, "data:application/octet-stream;base64,JPEG"),
            (#"{"data":"JPEG"}"#, "data:;base64,JPEG"), (#"{"type":"x/y","data":"JPEG"}"#, "data:x/y;base64,JPEG"),
            (#"{"type":"image/png","url":null}"#, "data:image/png;base64,"),
            (#"{"data":"data:image/jpeg;base64,JPEG"}"#, "data:image/jpeg;base64,JPEG"),
            (#"{"data":"A text"}"#, nil), (#"{"data":"AAAAAAAA"}"#, nil), (#"{"data":null}"#, nil), ("{}", nil),
            (#"{"type":"application/vnd.a+json","data":"{}"}"#, nil), (#"{"type":"text/plain","data":"JPEG"}"#, nil),
        ] as [(String, String?)])
    func `a part without a URL is a media item if its type or its bytes are those of a media file`(
        part: String, url: String?
    )
        throws
    {
        let text = #"{"parts":[\#(part)]}"#.replacing("JPEG", with: Self.jpeg)
        let media = ComapiDialect().read(JSONNode(try JSONParser.value(of: text))).media
        #expect(media.map(\.url) == [url?.replacing("JPEG", with: Self.jpeg)].compactMap(\.self))
        #expect(media.allSatisfy { $0.path?.description == "/parts/0/data" })
    }

    private func read(_ text: String) throws -> PushPayload {
        ComapiDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"parts":[{}]}"#, "parts[]"), (#"{"parts":[7,{"url":"u"}],"aps":{}}"#, "parts[]"),
            (#"{"name":"conversationMessage.sent","payload":{"parts":[{}]}}"#, "payload.parts[]"),
            (#"{"parts":[]}"#, nil), (#"{"parts":["u"]}"#, nil), (#"{"parts":{"url":"u"}}"#, nil),
            (#"{"payload":{"parts":7}}"#, nil), (#"{"alert":{"platforms":{}}}"#, nil),
        ] as [(String, String?)])
    func `a message and its event are recognised by their parts`(text: String, rule: String?) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(ComapiDialect().detect(object) == rule)
    }

    @Test func `each part with a URL is read as a media item with the part's name and type`() throws {
        let media = try read(
            #"{"parts":[{"name":"t","type":"text/plain","data":"x"},{"name":"p","type":"image/jpeg","url":"1","size":9},{"type":"video","url":"2"},{"url":"3"}]}"#
        ).media
        #expect(media.map(\.url) == ["1", "2", "3"])
        #expect(media.map(\.identifier) == ["p", nil, nil])
        #expect(media.map(\.declaredType) == [.mimeType("image/jpeg"), .mediaClass("video"), nil])
        #expect(media.map(\.path?.description) == ["/parts/1/url", "/parts/2/url", "/parts/3/url"])
    }

    @Test(
        arguments: [
            (#"{"type":"image/png","data":"iVBORw0KGgo="}"#, "data:image/png;base64,iVBORw0KGgo=", "data"),
            (#"{"type":"video","name":"n","data":"AAAA","size":3}"#, "data:video;base64,AAAA", "data"),
            (#"{"type":"audio/mp4","url":null,"data":"AAAA"}"#, "data:audio/mp4;base64,AAAA", "data"),
            (#"{"type":"image/png","data":"data:image/png,x"}"#, "data:image/png,x", "data"),
            (
                #"{"type":"image/png","url":"data:image/png;base64,iVBORw0KGgo="}"#,
                "data:image/png;base64,iVBORw0KGgo=", "url"
            ),
            (#"{"url":"DATA:,x"}"#, "DATA:,x", "url"),
            (#"{"type":"image/png","url":"https://a.example/1","data":"AAAA"}"#, "https://a.example/1", "url"),
        ])
    func `a part with bytes is read as a media item`(part: String, url: String, key: String) throws {
        let media = try read(#"{"parts":[\#(part)]}"#).media
        #expect(media.map(\.url) == [url])
        #expect(media.map(\.path?.description) == ["/parts/0/\(key)"])
    }

    @Test(arguments: [("90321", 90_321), (#""7""#, 7), ("null", nil), ("{}", nil)] as [(String, Int?)])
    func `a media item has the size that its part declares`(size: String, bytes: Int?) throws {
        let media = try read(#"{"parts":[{"type":"image/png","url":"u","size":\#(size)}]}"#).media
        #expect(media.map(\.declaredByteCount) == [bytes])
    }

    @Test(
        arguments: [
            ("ios", #""apns":{"alert":{"title":"A","body":"a"}},"fcm":{"notification":{"title":"F","body":"f"}}"#, "A"),
            ("watch", #""apns":{"alert":{"title":"A","body":"a"}},"fcm":{"notification":{"title":"F"}}"#, "A"),
            ("android", #""apns":{"alert":{"title":"A","body":"a"}},"fcm":{"notification":{"title":"F"}}"#, "F"),
            ("android", #""apns":{"alert":{"title":"A","body":"a"}},"fcm":{"notification":7}"#, "A"),
            ("ios", #""fcm":{"notification":{"title":"F"}}"#, "F"),
            ("original", #""apns":{"alert":{"title":"A"}},"fcm":{"notification":{"title":"F"}}"#, "A"),
        ])
    func `the alert for the platform of the profile is used`(profile: String, platforms: String, title: String)
        async throws
    {
        let bench = PipelineBench()
        let request = try bench.request(
            #"{"parts":[{"type":"text/plain","data":"text"}],"alert":{"platforms":{\#(platforms)}}}"#
        ) { $0.profile = MediaProfile.named(profile) ?? .ios }
        #expect(try await bench.process(request).first?.text.title == title)
    }

    @Test(arguments: [
        #"{"type":"application/json","data":"{}"}"#, #"{"data":"AAAA"}"#, #"{"type":"text/html","data":"<p>"}"#,
        #"{"type":"text/plain","url":"https://a.example/long.txt"}"#,
        #"{"type":"plain/text","url":"https://a.example/long.txt"}"#, #"{"type":"model/obj","url":7}"#, "7", "null",
        #""u""#, #"["u"]"#,
    ])
    func `a part is not a media item if it has only a text, other data or no data`(part: String) throws {
        let payload = try read(#"{"parts":[\#(part),{"type":"image/png","url":"u"}]}"#)
        #expect(payload.media.map(\.url) == ["u"])
    }

    @Test(
        arguments: [
            (
                #""alert":{"platforms":{"apns":{"alert":"A"},"fcm":{"notification":{"title":"f","body":"f"}}}}"#, nil,
                "A"
            ),
            (#""alert":{"platforms":{"apns":{"alert":{"title":"T","body":"A"}}}}"#, "T", "A"),
            (#""alert":{"platforms":{"apns":{"aps":{"alert":"A"}}}}"#, nil, "A"),
            (#""alert":{"platforms":{"apns":{"badge":1},"fcm":{"notification":{"title":"T","body":"F"}}}}"#, "T", "F"),
            (#""aps":{"alert":"P"},"alert":{"platforms":{"apns":{"alert":"A"}}}"#, nil, "P"),
            (#""alert":{"platforms":{"apns":{"badge":1}}}"#, nil, "text"), (#""alert":null"#, nil, "text"),
            (#""alert":"x""#, nil, "text"), (#""alert":{"platforms":7}"#, nil, "text"),
            (#""alert":{"platforms":{"apns":7,"fcm":{"notification":7}}}"#, nil, "text"),
        ] as [(String, String?, String)])
    func `the text is read from the alert, or from the parts if the alert has no text`(
        members: String, title: String?, body: String
    ) throws {
        let payload = try read(#"{"parts":[{"type":"text/plain","data":"text"}],\#(members)}"#)
        #expect(payload.successText == NotificationText(title: title, body: body))
        #expect(payload.fallbackText == nil)
    }

    @Test(
        arguments: [
            ("text/plain", "x"), ("plain/text", "x"), ("Text/Plain; charset=utf-8", "x"), ("text/html", nil),
            ("text", nil), ("", nil),
        ] as [(String, String?)])
    func `a part with plain text is read as the body`(type: String, body: String?) throws {
        let parts = #"{"type":"\#(type)","data":"x"},{"type":"text/html","data":"y"}"#
        #expect(try read(#"{"parts":[{"type":"text/plain","data":7},\#(parts)]}"#).successText.body == body)
    }

    @Test func `badge and sound are read from the alert for APNs`() throws {
        let aps = try read(#"{"parts":[{}],"alert":{"platforms":{"apns":{"alert":"A","badge":1,"sound":"default"}}}}"#)
            .aps
        #expect(aps.badge == 1)
        #expect(aps.sound == NotificationSound(name: "default"))
        #expect(aps.hasVisibleAlert)
    }

    @Test(arguments: [
        #"{"messageId":"m","conversationId":"c","parts":[{}]}"#,
        #"{"id":"m","context":{"conversationId":"c"},"parts":[{}]}"#,
        #"{"id":"x","messageId":"m","conversationId":"c","context":{"conversationId":"x"},"parts":[{}]}"#,
        #"{"eventId":"e","payload":{"messageId":"m","context":{"conversationId":"c"},"parts":[{}]}}"#,
        #"{"eventId":"e","messageId":"m","conversationId":"c","payload":{"parts":[{}]}}"#,
    ])
    func `the message ID and the conversation ID are found at each documented path`(text: String) throws {
        let payload = try read(text)
        #expect(payload.providerID == "m")
        #expect(payload.aps.threadIdentifier == "c")
        #expect(payload.details["conversationId"] == "c")
    }

    @Test func `the conversation ID does not replace the thread-id in aps`() throws {
        let payload = try read(#"{"conversationId":"c","parts":[{}],"aps":{"thread-id":"t"}}"#)
        #expect(payload.aps.threadIdentifier == "t")
        #expect(payload.details["conversationId"] == "c")
    }

    @Test func `the message in an event is read`() throws {
        let payload = try read(
            #"""
            {"eventId":"e","name":"conversationMessage.sent","payload":{"messageId":"m","metadata":{"color":"red"},
             "context":{"conversationId":"c","sentBy":"USR/alex"},"parts":[{"name":"n","type":"image/jpeg","url":"u"}],
             "alert":{"platforms":{"apns":{"alert":"A"}}}}}
            """#)
        #expect(payload.media.map(\.path?.description) == ["/payload/parts/0/url"])
        #expect(payload.successText.body == "A")
        #expect(
            payload.details == [
                "event": "conversationMessage.sent", "eventId": "e", "conversationId": "c", "messageId": "m",
                "sender": "USR/alex", "metadata": ["color": "red"],
            ])
    }

    @Test(arguments: [
        #"{"parts":[{"type":"text/plain","data":""},{"type":"text/plain","data":"real"}]}"#,
        #"{"alert":{"platforms":{"apns":{"alert":""}}},"parts":[{"type":"text/plain","data":"real"}]}"#,
        #"{"alert":{"platforms":{"apns":{"alert":{"title":"Bob"}}}},"parts":[{"type":"text/plain","data":"real"}]}"#,
    ])
    func `an empty text does not hide a text at another path`(text: String) throws {
        #expect(try read(text).successText.body == "real")
    }

    @Test func `a read event is silent even if its name is written in wrong upper or lower case`() throws {
        let payload = try read(
            #"{"eventId":"e","name":"conversationmessage.Read","payload":{"parts":[{"type":"text/plain","data":"t"}]}}"#
        )
        #expect(payload.isSilent)
        #expect(payload.details["event"] == "conversationMessage.read")
    }

    @Test(
        arguments: [
            (#""dd_deepLink":{"url":"app://1"}"#, "app://1"),
            (
                #""actions":[{"action":"x","link":"app://0"},{"action":"notificationClicked","link":"app://1"}]"#,
                "app://1"
            ),
            (
                #""dd_deepLink":{"url":"app://1"},"actions":[{"action":"notificationClicked","link":"app://2"}]"#,
                "app://1"
            ),
            (#""dd_deepLink":"app://1""#, "app://1"), (#""actions":[{"action":"notificationClicked","link":7}]"#, nil),
            (#""actions":{"action":"notificationClicked"}"#, nil),
        ] as [(String, String?)])
    func `the link is the URL that the vendor's app opens`(members: String, link: String?) throws {
        #expect(try read(#"{"parts":[{}],\#(members)}"#).details["link"]?.string == link)
    }

    @Test(arguments: [
        #"{"parts":7}"#, #"{"parts":{"url":"u"}}"#, #"{"parts":[{"url":7,"type":7,"name":7,"data":7}],"messageId":[]}"#,
        #"{"parts":[{"url":"u","url":7}],"context":7,"conversationId":7,"metadata":"x","id":{}}"#,
        #"{"payload":"{\"parts\":[","parts":[{}],"aps":7}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws {
        #expect(try read(text).saysNothing)
    }
}
