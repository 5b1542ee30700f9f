import NotificationModel
import NotificationProcessor
import Testing

@Suite struct SendiosDialectTests {
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
    func `nested or flattened, the picture and the id are found`(text: String) throws {
        let payload = try read(text)
        #expect(payload.media.map(\.url) == ["https://a.example/1"])
        #expect(payload.media.map(\.declaredType) == [.fileExtension("png")])
        #expect(payload.providerID == "p")
    }

    @Test(
        arguments: [
            ("https://a.example/1.png", ["https://a.example/1.png"], nil), ("//a.example/1", ["//a.example/1"], nil),
            ("file:x", ["file:x"], nil), ("people/1.png", ["people/1.png"], nil), ("Launch", [], "Launch"),
            ("cat.png", [], "cat.png"), ("", [], nil),
        ] as [(String, [String], String?)])
    func `a bare name is a launch image and no medium`(url: String, media: [String], launchImage: String?) throws {
        let payload = try read(#"{"data":{"push_id":"p","image_url":"\#(url)"}}"#)
        #expect(payload.media.map(\.url) == media)
        #expect(payload.aps.launchImageName == launchImage)
    }

    @Test func `without an alert the notification's text and badge are taken`() throws {
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
    func `where it leads, and what the vendor wants to hear again, is kept`(text: String) throws {
        #expect(
            try read(text).details == [
                "type": "route", "route": "chat", "fromUserId": "8812", "senderId": "2", "logicId": "l-5",
                "templateId": "t",
            ])
    }
}
