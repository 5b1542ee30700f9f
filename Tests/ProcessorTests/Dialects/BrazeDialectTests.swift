import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct BrazeDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        BrazeDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"ab":{}}"#, "ab"), (#"{"ab":{},"messages":{"apple_push":{}}}"#, "ab"),
            (#"{"messages":{"apple_push":{}}}"#, "messages.apple_push"),
            (#"{"ab":7,"messages":{"apple_push":{}}}"#, "messages.apple_push"), (#"{"ab":"variant-b"}"#, nil),
            (#"{"ab":null}"#, nil), (#"{"ab":[]}"#, nil), (#"{"messages":{"apple_push":7}}"#, nil),
            (#"{"messages":[{"apple_push":{}}]}"#, nil), (#"{"messages":{"kindle_push":{}}}"#, nil),
            (#"{"messages":{"web_push":{},"android_push":{}}}"#, "messages.android_push"),
            (#"{"messages":{"web_push":{}}}"#, "messages.web_push"), (#"{"apple_push":{}}"#, nil),
            (#"{"ab_uri":"app://1"}"#, nil),
        ] as [(String, String?)])
    func `a Braze payload is recognised by the key ab, or as a request`(text: String, rule: String?) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(BrazeDialect().detect(object) == rule)
    }

    @Test func `the media item has the JSON path of its URL and the declared type of the payload`() throws {
        let push = try read(#"{"ab":{"att":{"url":"u","type":"gif"}}}"#)
        let path = JSONPath([.key("ab"), .key("att"), .key("url")])
        #expect(
            push.media.map(\.withoutClaims) == [
                MediaReference(url: "u", path: path, declaredType: .fileExtension("gif"))
            ])
        let request = try read(#"{"messages":{"apple_push":{"asset_url":"u","asset_file_type":"mp4"}}}"#)
        let place = JSONPath([.key("messages"), .key("apple_push"), .key("asset_url")])
        #expect(
            request.media.map(\.withoutClaims) == [
                MediaReference(url: "u", path: place, declaredType: .fileExtension("mp4"))
            ])
    }

    @Test(arguments: [
        #"{"ab":{"att":{"url":"u"}}}"#, #"{"ab":{"att":{"url":"u","type":""}}}"#,
        #"{"ab":{"att":{"url":"u","type":7}}}"#, #"{"ab":{"att":{"type":"gif"}}}"#,
        #"{"ab":{"att":{"url":7,"type":"gif"}}}"#, #"{"ab":{"att":{"url":["u"],"type":"gif"}}}"#,
        #"{"ab":{"att":{"url":"","type":"gif"}}}"#, #"{"ab":{"att":"u"}}"#,
        #"{"ab":{"att":[{"url":"u","type":"gif"}]}}"#,
        #"{"ab":{"att":null}}"#, #"{"ab":{"att":{"url":"u","type":"gif"},"att":7}}"#,
        #"{"ab":{},"messages":{"apple_push":{"asset_url":"u","asset_file_type":"gif"}}}"#,
        #"{"messages":{"apple_push":{"asset_url":"u"}}}"#, #"{"messages":{"apple_push":{"asset_file_type":"gif"}}}"#,
        #"{"messages":{"apple_push":{"asset_url":7,"asset_file_type":"gif","alert":7,"extra":7,"badge":"1"}}}"#,
        #"{"messages":7,"ab":7}"#, #"{"messages":{"apple_push":[]}}"#,
    ])
    func `a media item is read only if it has a URL and a type`(text: String) throws {
        #expect(try read(text).media == [])
    }

    @Test func `a push has the text of aps, and has the ID and the link of Braze's keys`() throws {
        let payload = try read(#"{"aps":{"alert":{"title":"T","body":"B"}},"ab":{"c":"Y2E="},"ab_uri":"app://1"}"#)
        #expect(payload.successText == NotificationText(title: "T", body: "B"))
        #expect(payload.fallbackText == nil)
        #expect(payload.providerID == "Y2E=")
        #expect(payload.details == ["link": "app://1"])
        #expect(payload.actions == [])
    }

    @Test func `the values for Apple in a request are read from Braze's keys`() throws {
        let payload = try read(
            """
            {"send_id":"s1","messages":{"apple_push":{"alert":{"title":"T","body":"B","title_loc_key":"K",
             "title_loc_args":["a"]},"badge":3,"sound":"a.caf","category":"C","notification_group_thread_id":"G",
             "interruption_level":"passive","relevance_score":0.5,"mutable_content":true,"extra":{"k":"v"},
             "custom_uri":"app://1"}}}
            """)
        #expect(payload.successText == NotificationText(title: "T", body: "B"))
        #expect(payload.localization.title == .init(key: "K", arguments: ["a"]))
        #expect(payload.aps.badge == 3)
        #expect(payload.aps.sound == NotificationSound(name: "a.caf"))
        #expect(payload.aps.category == "C")
        #expect(payload.aps.threadIdentifier == "G")
        #expect(payload.aps.interruptionLevel == .passive)
        #expect(payload.aps.relevanceScore == 0.5)
        #expect(payload.aps.mutableContent)
        #expect(payload.aps.hasVisibleAlert)
        #expect(payload.providerID == "s1")
        #expect(payload.details == ["link": "app://1", "extra": ["k": "v"]])
    }

    @Test(
        arguments: [
            (#"{"alert":"B"}"#, "B", false), (#"{"alert":{"body":"B"},"mutable_content":1}"#, "B", true),
            (#"{"alert":"B","asset_url":"u"}"#, "B", true),
            (#"{"alert":"B","asset_url":"u","mutable_content":0}"#, "B", true),
            (#"{"alert":7}"#, nil, false), (#"{"alert":["B"],"mutable_content":"1"}"#, nil, false),
        ] as [(String, String?, Bool)])
    func `the alert of a request is a string or a dictionary`(push: String, body: String?, isMutable: Bool) throws {
        let payload = try read(#"{"messages":{"apple_push":\#(push)},"aps":{"alert":"other"}}"#)
        #expect(payload.successText == NotificationText(body: body))
        #expect(payload.aps.mutableContent == isMutable)
    }

    @Test func `a payload is read as a request if the value of ab is not a dictionary`() throws {
        let request = #""messages":{"apple_push":{"alert":"B","asset_url":"u","asset_file_type":"gif"}}"#
        #expect(try read(#"{"ab":"variant-b",\#(request)}"#).media.map(\.url) == ["u"])
    }

    @Test func `a request without an alert is silent`() throws {
        #expect(try read(#"{"messages":{"apple_push":{"content-available":true}}}"#).isSilent)
        #expect(try !read(#"{"messages":{"apple_push":{"content-available":true,"alert":"B"}}}"#).isSilent)
    }

    @Test(
        arguments: [
            (#""send_id":"s","campaign_id":"c""#, "s"), (#""send_id":7,"campaign_id":"c""#, "7"),
            (#""campaign_id":"c""#, "c"), (#""send_id":"","campaign_id":{}"#, "v"),
        ])
    func `the provider ID of a request is its send ID, its campaign ID or its message variation ID`(
        keys: String, expected: String
    ) throws {
        #expect(
            try read(#"{\#(keys),"messages":{"apple_push":{"message_variation_id":"v"}}}"#).providerID == expected)
    }

    @Test func `the text and the images for each platform are read from a request for Android and the web`() throws {
        let request = try read(
            """
            {"messages":{"android_push":{"title":"A","alert":"a","push_icon_image_url":"i","custom_uri":"app://1"},
             "web_push":{"title":"W","alert":"w","image_url":"j","large_image_url":"p"}}}
            """)
        #expect(request.platformTexts[.android] == NotificationText(title: "A", body: "a"))
        #expect(request.platformTexts[.webpush] == NotificationText(title: "W", body: "w"))
        #expect(request.media.map(\.url) == ["i", "p", "j"])
        #expect(request.media.map(\.role) == [.icon, .attachment, .icon])
        #expect(request.media.map(\.platform) == [.android, .webpush, .webpush])
        #expect(request.details == ["link": "app://1"])
    }
}
