import Base
import Foundation
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct CleverTapDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        CleverTapDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    /// Reads a payload that has this text as `pt_json`.
    private func read(json: String, _ keys: JSONObject = [:]) -> PushPayload {
        var object = keys
        object.append("pt_json", .string(json))
        return CleverTapDialect().read(JSONNode(object))
    }

    @Test(
        arguments: [
            (#"{"pt_id":"x","wzrk_id":"1","ct_mediaUrl":"u"}"#, "ct_*"), (#"{"pt_id":"x","wzrk_id":"1"}"#, "wzrk_*"),
            (#"{"aps":{},"pt_id":null}"#, "pt_*"), (#"{"ct":"x","wzrk":"x","pt":"x"}"#, nil), (#"{"Pt_id":"x"}"#, nil),
            (#"{"apt_id":"x"}"#, nil), (#"{"aps":{"pt_id":"x"}}"#, nil),
        ] as [(String, String?)])
    func `a CleverTap payload is recognised by any of three prefixes`(text: String, rule: String?) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(CleverTapDialect().detect(object) == rule)
    }

    @Test(
        arguments: [
            (#","ct_mediaType":"gif""#, .mediaClass("gif")), (#","ct_mediaType":"image/png""#, .mimeType("image/png")),
            ("", nil), (#","ct_mediaType":7"#, nil), (#","ct_mediaType":"""#, nil),
        ] as [(String, DeclaredMediaType?)])
    func `the declared type of a single media item is read from a media class or a MIME type`(
        keys: String, type: DeclaredMediaType?
    ) throws {
        let item = MediaReference(url: "u", path: JSONPath([.key("ct_mediaUrl")]), declaredType: type)
        #expect(try read(#"{"ct_mediaUrl":"u"\#(keys)}"#).media.map(\.withoutClaims) == [item])
    }

    @Test func `the media items of a slider are read from an object or from a JSON string`() throws {
        let items = #"{"items":[{"imageUrl":"b","actionUrl":"app://1"},{"imageUrl":7},{},7,{"imageUrl":"a"}]}"#
        let object = try read(#"{"ct_ContentSlider":\#(items)}"#)
        #expect(object.media.map(\.url) == ["b", "a"])
        #expect(object.media.map(\.identifier) == [nil, nil])
        let string = CleverTapDialect().read(JSONNode(["ct_ContentSlider": .string(items)]))
        #expect(string.media.map(\.url) == ["b", "a"])
        #expect(string.media.last?.path?.description == "/ct_ContentSlider/items/4/imageUrl")
        #expect(string.media.last?.path?.steps.contains(.embedded) == true)
    }

    @Test func `the media items of a template keep the payload's order, and have their keys as identifiers`() throws {
        let payload = try read(
            """
            {"pt_img2":"b","pt_ico":"i","pt_img10":"c","pt_gif":"g","pt_big_img":"p","pt_img1_alt":"d","pt_gif_alt":"h"}
            """)
        #expect(payload.media.map(\.url) == ["b", "i", "c", "g", "p", "d", "h"])
        #expect(
            payload.media.map(\.identifier) == [
                "pt_img2", "pt_ico", "pt_img10", "pt_gif", "pt_big_img", "pt_img1_alt", "pt_gif_alt",
            ])
        #expect(payload.media.map(\.use) == Array(repeating: .always, count: 5) + [.afterExpiry, .afterExpiry])
        #expect(payload.media.map { $0.role == .icon } == [false, true, false, false, false, false, false])
    }

    @Test(arguments: [
        "pt_img", "pt_imgs", "pt_img1a", "pt_img-1", "pt_img1_alt_text", "pt_big_img_alt_text", "pt_big_img2",
        "pt_gif_frames", "pt_bg", "pt_dl1", "pt_alt", "_alt", "pt_big_imgalt",
    ])
    func `a key that only resembles a media key is not read as a media item`(key: String) {
        #expect(CleverTapDialect().read(JSONNode([key: "https://a.example/1.png"])).media == [])
    }

    @Test func `media in pt_json are listed at the position of pt_json, and replace media under the same keys`() {
        let payload = CleverTapDialect().read(
            JSONNode([
                "pt_img2": "top2", "pt_json": #"{"pt_img1":"json1","pt_img2":"json2","pt_gif":7,"pt_title":"T"}"#,
                "pt_gif": "top", "pt_title": "other",
            ]))
        #expect(payload.media.map(\.url) == ["json1", "json2", "top"])
        #expect(
            payload.media.map(\.path) == [
                JSONPath([.key("pt_json"), .embedded, .key("pt_img1")]),
                JSONPath([.key("pt_json"), .embedded, .key("pt_img2")]), JSONPath([.key("pt_gif")]),
            ])
        #expect(payload.successText.title == "T")
    }

    @Test func `the template's text is the success text, and the alert is the fallback text`() throws {
        let alert = #""aps":{"alert":{"title":"A","subtitle":"S","body":"B"}}"#
        let payload = try read(#"{\#(alert),"pt_title":"T","pt_msg":"M","pt_big_img":"u"}"#)
        #expect(payload.successText == NotificationText(title: "T", subtitle: "S", body: "M"))
        #expect(payload.fallbackText == NotificationText(title: "A", subtitle: "S", body: "B"))
        let subtitle = try read(#"{\#(alert),"pt_subtitle":"s","pt_msg":"","pt_big_img":"u"}"#)
        #expect(subtitle.successText == NotificationText(title: "A", subtitle: "s", body: "B"))
    }

    @Test(arguments: [
        #""pt_title":"A","pt_msg":"B","pt_big_img":"u""#, #""pt_title":"","pt_msg":7,"pt_big_img":"u""#,
        #""ct_mediaUrl":"u""#, #""pt_title":"T","pt_msg":"M""#, #""pt_title":"T","pt_big_img_alt":"u""#,
    ])
    func `a payload without another text, or without media, has no fallback text`(keys: String) throws {
        let payload = try read(#"{"aps":{"alert":{"title":"A","body":"B"}},\#(keys)}"#)
        #expect(payload.successText == NotificationText(title: "A", body: "B"))
        #expect(payload.fallbackText == nil)
    }

    @Test(
        arguments: [
            ("1595871380", 1_595_871_380), (#""1595871380""#, 1_595_871_380), (#""$D_1595871380""#, 1_595_871_380),
            (#""1595871380.5""#, 1_595_871_380.5), (#""""#, nil), (#""$D_""#, nil), (#""soon""#, nil), ("null", nil),
            ("{}", nil), ("1e400", nil), (#""1e9""#, nil), (#""D_1595871380""#, nil),
        ] as [(String, Double?)])
    func `the end of a timer is read in seconds since 1970`(end: String, seconds: Double?) throws {
        let expected = seconds.map { Date(timeIntervalSince1970: $0) }
        let payload = try read(#"{"pt_timer_end":\#(end),"pt_msg_alt":"over"}"#)
        #expect(payload.expiresAt == expected)
        #expect((payload.expiryText != nil) == (expected != nil))
        #expect(read(json: #"{"pt_timer_end":\#(end),"pt_big_img_alt":"u"}"#).expiresAt == expected)
    }

    @Test func `pt_timer_end in pt_json takes precedence over pt_timer_end at the top level`() {
        let keys: JSONObject = ["pt_timer_end": 1, "pt_msg_alt": "over"]
        #expect(read(json: #"{"pt_timer_end":"$D_2"}"#, keys).expiresAt == Date(timeIntervalSince1970: 2))
        #expect(read(json: #"{"pt_timer_end":"soon"}"#, keys).expiresAt == Date(timeIntervalSince1970: 1))
        #expect(read(json: #"{"pt_timer_threshold":60}"#, keys).expiresAt == nil)
    }

    @Test(
        arguments: [
            (#""pt_title_alt":"x""#, true), (#""pt_msg_alt":"x""#, true), (#""pt_big_img_alt":"x""#, true),
            (#""pt_msg_alt":"","pt_big_img_alt":7"#, false), (#""pt_big_img":"x","pt_title":"x""#, false),
            // The timer begins when the user opens the notification, and this time is unknown.
            (#""pt_msg_alt":"x","pt_timer_threshold":"60""#, false),
            (#""pt_msg_alt":"x","pt_timer_threshold":-1"#, true),
        ])
    func `a message expires at its timer's end only if the template has other content for the time after the end`(
        keys: String, expires: Bool
    )
        throws
    {
        let payload = try read(#"{"pt_timer_end":1595871380,\#(keys)}"#)
        #expect((payload.expiresAt != nil) == expires)
        #expect((payload.expiryText != nil) == expires)
    }

    @Test(
        arguments: [
            (#""pt_title_alt":"t","pt_msg_alt":"m""#, NotificationText(title: "t", subtitle: "S", body: "m")),
            (#""pt_title_alt":"t""#, NotificationText(title: "t", subtitle: "S", body: "M")),
            (#""pt_title_alt":"","pt_big_img_alt":"u""#, NotificationText(title: "A", subtitle: "S", body: "M")),
        ])
    func `a line without a replacement is unchanged in the expiry text`(keys: String, expected: NotificationText)
        throws
    {
        let alert = #""aps":{"alert":{"title":"A","subtitle":"S","body":"B"}}"#
        #expect(try read(#"{\#(alert),"pt_msg":"M","pt_timer_end":1,\#(keys)}"#).expiryText == expected)
    }

    @Test(
        arguments: [
            (#""wzrk_id":"1_2","wzrk_pid":"9""#, "9"), (#""wzrk_id":"1_2""#, "1_2"), (#""wzrk_pid":7"#, "7"),
            (#""wzrk_id":{},"wzrk_pid":"""#, nil),
        ] as [(String, String?)])
    func `the ID of the push takes precedence over the ID of the campaign`(keys: String, expected: String?) throws {
        #expect(try read("{\(keys)}").providerID == expected)
    }

    @Test(
        arguments: [
            (#"{"wzrk_dl":"app://1","pt_dl1":"app://2"}"#, "app://1"),
            (#"{"pt_dl1":"app://2","wzrk_dl":7}"#, "app://2"),
            (#"{"pt_dl1":"app://2","pt_default_dl":"app://3"}"#, "app://3"), (#"{"pt_dl2":"app://2"}"#, nil),
        ] as [(String, String?)])
    func `the link of the campaign takes precedence over the link of the template`(text: String, link: String?) throws {
        #expect(try read(text).details["link"]?.string == link)
    }

    @Test func `the details have the name and the link of the template`() throws {
        #expect(try read(#"{"pt_id":"pt_timer"}"#).details == ["template": "pt_timer"])
        #expect(read(json: #"{"pt_id":"pt_timer","pt_dl1":"app://1"}"#).details["link"] == "app://1")
    }

    @Test func `buttons are read as actions, from an array or from a string of JSON`() throws {
        let buttons = #"[{"l":"Yes","id":"2"},{"l":"No","id":1},{"l":"x"},{"id":"3"},{"l":7,"id":"4"},7]"#
        let expected = [
            NotificationAction(identifier: "2", title: "Yes"), NotificationAction(identifier: "1", title: "No"),
        ]
        #expect(try read(#"{"wzrk_acts":\#(buttons)}"#).actions == expected)
        #expect(CleverTapDialect().read(JSONNode(["wzrk_acts": .string(buttons)])).actions == expected)
        #expect(try read(#"{"wzrk_acts":"[{'l':'Yes','id':'2'}]"}"#).actions == [])
    }

    @Test(
        arguments: [
            (#"{"ct_mediaUrl":7}"#, []), (#"{"ct_mediaUrl":["u"]}"#, []), (#"{"ct_mediaUrl":null}"#, []),
            (#"{"ct_mediaUrl":"u","ct_mediaUrl":"v"}"#, ["v"]), (#"{"ct_ContentSlider":7}"#, []),
            (#"{"ct_ContentSlider":{"items":{"imageUrl":"u"}}}"#, []),
            (#"{"ct_ContentSlider":[{"imageUrl":"u"}]}"#, []),
            (#"{"ct_ContentSlider":"{\"items\":[{\"imageUrl\":\"u\"}"}"#, []), (#"{"pt_img1":7,"pt_img2":{}}"#, []),
            (#"{"pt_img1":"u","pt_img1":"v"}"#, ["v"]), (#"{"pt_img1":"u","pt_img1":null}"#, []),
            (#"{"pt_img1":"v","pt_json":"{\"pt_img1\":\"u\""}"#, ["v"]), (#"{"pt_img1":"v","pt_json":""}"#, ["v"]),
            (#"{"pt_img1":"v","pt_json":{"pt_img1":"u"}}"#, ["v"]), (#"{"pt_img1":"v","pt_json":7}"#, ["v"]),
            (#"{"pt_img1":"v","pt_json":"[\"u\"]"}"#, ["v"]), (#"{"pt_img1":"v","pt_json":"null"}"#, ["v"]),
            (#"{"pt_json":"{\"pt_img1\":\"u\",\"pt_img1\":\"v\"}"}"#, ["v"]),
            (#"{"pt_json":"{\"pt_json\":\"{\\\"pt_img1\\\":\\\"u\\\"}\"}"}"#, []),
            (#"{"wzrk_acts":7,"wzrk_id":[],"wzrk_dl":7,"pt_id":7}"#, []),
        ] as [(String, [String])])
    func `a value of a wrong type counts as missing`(text: String, urls: [String]) throws {
        let payload = try read(text)
        #expect(payload.media.map(\.url) == urls)
        #expect(payload.successText.isEmpty)
        #expect(payload.details.isEmpty)
        #expect(payload.actions == [])
    }
}
