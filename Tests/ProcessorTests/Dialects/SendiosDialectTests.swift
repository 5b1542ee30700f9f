import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct SendiosDialectTests {
    @Test func `mistakes in a push are reported as problems`() throws {
        let payload = try read(
            #"{"data":{"push_id":"1","route":"chats"},"notification":{"title":"T","badge":"many"}}"#)
        #expect(
            payload.problems.summary
                == #"/data/route: "chats" is not a route; did you mean chat?; /notification/badge: "many" is not a whole number of 0 or more"#
        )
    }

    private func read(_ text: String) throws -> PushPayload {
        SendiosDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(arguments: [
        #"{"data":{"push_id":"p","image_url":"https://a.example/1"}}"#,
        #"{"push_id":"p","image_url":"https://a.example/1"}"#,
        #"{"push_id":"p","image_url":"https://a.example/1","data":{"from_user_id":"8812"}}"#,
        #"{"push_id":"p","image_url":"https://a.example/1","data":"{}"}"#,
        #"{"push_id":"q","image_url":"https://a.example/2","data":{"push_id":"p","image_url":"https://a.example/1"}}"#,
    ])
    func `the image and the id are read in data and at the top level`(text: String) throws {
        let payload = try read(text)
        #expect(payload.media.map(\.url) == ["https://a.example/1"])
        #expect(payload.media.map(\.declaredType) == [.fileExtension("png")])
        #expect(payload.providerID == "p")
    }

    @Test(
        arguments: [
            ("https://a.example/1.png", ["https://a.example/1.png"], nil), ("//a.example/1", ["//a.example/1"], nil),
            ("file:x", ["file:x"], nil), ("people/1.png", ["people/1.png"], nil), ("Launch", [], "Launch"),
            ("cat.png", [], "cat.png"), ("", [], nil), ("null", [], nil),
        ] as [(String, [String], String?)])
    func `a file name without a URL is a launch image, not a media item`(
        url: String, media: [String], launchImage: String?
    ) throws {
        let payload = try read(#"{"data":{"push_id":"p","image_url":"\#(url)"}}"#)
        #expect(payload.media.map(\.url) == media)
        #expect(payload.aps.launchImageName == launchImage)
    }

    @Test func `the text and the badge are read from the object notification if the push has no alert`() throws {
        let notification = #""notification":{"title":"T","body":"B","badge":2}"#
        let data = #""data":{"push_id":"p","image_url":"https://a.example/1"}"#
        let bare = try read("{\(data),\(notification)}")
        #expect(bare.successText == NotificationText(title: "T", body: "B"))
        #expect(bare.aps.badge == 2)
        let both = try read(#"{\#(data),\#(notification),"aps":{"alert":"x","badge":1}}"#)
        #expect(both.successText == NotificationText(body: "x"))
        #expect(both.aps.badge == 1)
    }

    @Test(arguments: [
        #"{"data":{"push_id":"p","image_url":"u","type":"route","route":"chat","from_user_id":"8812","sender_id":2,"logic_id":"l-5","template_id":"t","mf_split_group":null}}"#,
        #"{"push_id":"p","image_url":"u","type":"route","route":"chat","from_user_id":"8812","sender_id":"2","logic_id":"l-5","template_id":"t","mf_split_group":""}"#,
    ])
    func `the details contain the route and the ids of the vendor`(text: String) throws {
        #expect(
            try read(text).details == [
                "type": "route", "route": "chat", "fromUserId": "8812", "senderId": "2", "logicId": "l-5",
                "templateId": "t", "splitGroup": nil,
            ])
    }

    @Test(
        arguments: [
            (#"{"data":{"push_id":"p"}}"#, "data.push_id"),
            (#"{"data":{"push_id":7,"image_url":null}}"#, "data.push_id+data.image_url"),
            (#"{"push_id":"p","route":"chat","aps":{"alert":"x"}}"#, "push_id+route"),
            (#"{"push_id":"p","mf_split_group":null,"aps":{}}"#, "push_id+mf_split_group"),
            (#"{"message":{"token":"t","data":{"push_id":"p"}}}"#, "message.data.push_id"),
            (#"{"push_id":"p","aps":{}}"#, nil), (#"{"data":{"push_id":""},"aps":{}}"#, nil),
            (#"{"data":{"route":"chat"},"aps":{}}"#, nil), (#"{"message":{"data":{"route":"chat"}}}"#, nil),
            (#"{"message":{"data":{"push_id":"p"}},"aps":{}}"#, nil), (#"{"message":{"data":"p"}}"#, nil),
        ] as [(String, String?)])
    func `a payload with only a push id is recognised only if the id is in data`(
        text: String, rule: String?
    ) throws {
        #expect(SendiosDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test(arguments: [
        #"{"data":{"push_id":"p","type":"route","route":"chat"},"notification":{"title":"T","body":"B","badge":3}}"#,
        #"{"data":{"push_id":"p","type":"route","route":"chat","image_url":null},"notification":{"title":"T","body":"B","badge":"3"}}"#,
        #"{"push_id":"p","type":"route","route":"chat","aps":{"alert":{"title":"T","body":"B"},"badge":"3"}}"#,
        #"{"message":{"token":"t","data":{"push_id":"p","type":"route","route":"chat","badge":"3"},"notification":{"title":"T","body":"B"}}}"#,
        #"{"message":{"topic":"t","data":{"push_id":"p","type":"route","route":"chat"},"apns":{"payload":{"aps":{"alert":{"title":"T","body":"B"},"badge":3}}}}}"#,
        #"{"message":{"topic":"t","data":{"push_id":"p","type":"route","route":"chat"},"notification":{"title":"T","body":"B"},"android":{"notification":{"notification_count":3}}}}"#,
    ])
    func `a push without an image keeps its texts, ids, route and badge in every form`(text: String) throws {
        let payload = DialectTable.standard.read(try #require(try JSONParser.value(of: text).object))
        #expect(payload.dialect == "sendios")
        #expect(payload.successText == NotificationText(title: "T", body: "B"))
        #expect(payload.providerID == "p")
        #expect(payload.details == ["type": "route", "route": "chat", "splitGroup": nil])
        #expect(payload.aps.badge == 3)
        #expect(payload.aps.hasVisibleAlert && !payload.isSilent)
        #expect(payload.media == [])
    }

    @Test func `an image in FCM's data is listed before FCM's own image`() throws {
        let media = try read(
            #"{"message":{"data":{"push_id":"p","image_url":"https://a.example/1"},"notification":{"image":"https://a.example/2"}}}"#
        ).media
        #expect(media.map(\.url) == ["https://a.example/1", "https://a.example/2"])
        #expect(media.map(\.path?.description) == ["/message/data/image_url", "/message/notification/image"])
    }

    @Test(arguments: ["null", #""null""#, #""""#])
    func `a route, a user and a split group with the value null count as missing`(null: String) throws {
        let payload = try read(
            #"{"data":{"push_id":"p","route":\#(null),"from_user_id":\#(null),"mf_split_group":\#(null)}}"#)
        #expect(payload.details == ["splitGroup": nil])
    }

    @Test(arguments: [("ios", "2"), ("watch", "2"), ("android", nil), ("web", nil)] as [(String, String?)])
    func `the default sender id is 2 on Apple's platforms, as in the vendor's guide`(profile: String, sender: String?)
        async throws
    {
        let bench = PipelineBench()
        let request = try bench.request(#"{"data":{"push_id":"p","mf_split_group":"b"}}"#) {
            $0.profile = MediaProfile.named(profile) ?? .ios
        }
        let details = try #require(try await bench.process(request).first).payload.details
        #expect(details["senderId"]?.string == sender)
        #expect(details["splitGroup"] == "b")
        let own = try bench.request(#"{"data":{"push_id":"p","sender_id":"9"}}"#)
        #expect(try await bench.process(own).last?.payload.details["senderId"] == "9")
    }

    @Test(arguments: [("3", 3), (#""3""#, 3), (#""three""#, nil), ("null", nil), ("3.5", nil)] as [(String, Int?)])
    func `a badge is read from a number or from a string of digits`(badge: String, value: Int?) throws {
        let payload = try read(#"{"data":{"push_id":"p"},"notification":{"badge":\#(badge)}}"#)
        #expect(payload.aps.badge == value)
    }
}
