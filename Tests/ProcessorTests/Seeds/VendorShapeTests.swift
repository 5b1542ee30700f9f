import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

/// Tests of the shapes that the senders of the seed documents really send, by their SDKs, REST pages and test data. A row
/// fails without the code for its shape.
@Suite struct VendorShapeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let payload: String
        var platform = PushPlatform.apns
        let expected: @Sendable (PushPayload) -> Bool

        init(
            _ name: String, _ payload: String, _ platform: PushPlatform = .apns,
            _ expected: @escaping @Sendable (PushPayload) -> Bool
        ) {
            (testDescription, self.payload, self.platform, self.expected) = (name, payload, platform, expected)
        }
    }

    private static func read(_ text: String, for platform: PushPlatform) throws -> PushPayload {
        let payload = try #require(try JSONParser.value(of: text).object)
        return DialectTable.standard.read(payload).speaking(to: platform)
    }

    private static let aps = #""aps": {"alert": {"title": "T", "body": "B"}, "mutable-content": 1}"#
    private static let route =
        #""push_id": "p1", "type": "route", "route": "chat", "from_user_id": "8812", "sender_id": "2""#

    private static func event(_ name: String, _ beside: String = "", payload: String) -> String {
        #"{"eventId": "e1", "apiSpaceId": "S", "name": "\#(name)", \#(beside) "payload": {\#(payload)}}"#
    }

    private static func parts(_ context: String) -> String {
        event(
            "conversationMessage.sent",
            payload: #""messageId": "m1", "context": {\#(context)}, "parts": [{"type": "text/plain", "data": "hi"}]"#)
    }

    static let comapi: [Row] = [
        Row(
            "the text of withPush",
            #"{"parts": [{"type": "image/jpeg", "url": "https://a.b/c.jpg"}], "alert": {"text": "P", "platforms": {}}}"#
        ) {
            $0.successText.body == "P" && $0.problems.isEmpty && $0.media.count == 1
        },
        Row(
            "the text of withPush beside a text part",
            #"{"parts": [{"type": "text/plain", "data": "x"}], "alert": {"text": "P"}}"#
        ) {
            $0.successText.body == "P"
        },
        Row("an alert without parts", #"{"parts": [], "alert": {"platforms": {"apns": {"alert": "A"}}}}"#) {
            $0.dialect == "comapi" && $0.successText.body == "A"
        },
        Row(
            "a link as text",
            #"{\#(aps), "parts": [{"type": "text/plain", "data": "x"}], "dd_deepLink": "{\"url\": \"app://x\", \"trackingUrl\": \"https://t/x\"}"}"#
        ) {
            $0.details["link"] == "app://x" && $0.details["trackingUrl"] == "https://t/x"
        },
        Row("a bare link as text", #"{\#(aps), "dd_deepLink": "app://x"}"#) { $0.details["link"] == "app://x" },
        Row("a link without parts", #"{\#(aps), "dd_deepLink": {"url": "app://x"}}"#) {
            $0.dialect == "comapi" && $0.details["link"] == "app://x" && $0.successText.body == "B"
        },
        Row(
            "a link in the data of a message to FCM",
            #"{"message": {"token": "t", "notification": {"title": "T", "body": "B"}, "data": {"dd_deepLink": "{\"url\": \"app://x\"}"}}}"#,
            .android
        ) {
            $0.dialect == "comapi" && $0.details["link"] == "app://x" && $0.successText.title == "T"
        },
        Row(
            "a read message under its name for chats",
            event(
                "chatMessage.read",
                payload:
                    #""messageId": "m1", "parts": [{"type": "text/plain", "data": "x"}], "alert": {"platforms": {"apns": {"alert": "x"}}}"#
            )
        ) {
            $0.isSilent && $0.successText.isBlank && $0.details["event"] == "conversationMessage.read"
                && $0.problems.isEmpty
        },
        Row("an event of a chat", event("chat.participantTyping", payload: #""conversationId": "c1""#)) {
            $0.isSilent && $0.details["event"] == "conversation.participantTyping"
        },
        Row(
            "a read message as a receipt",
            event("conversationMessage.read", payload: #""messageId": "m1", "profileId": "alex""#)
        ) {
            $0.receipt == ReportedReceipt(.read, of: .providerID("m1"), by: ["alex"])
        },
        Row(
            "a read message of a session",
            event(
                "conversationMessage.read", #""context": {"createdBy": "session:alex"},"#,
                payload: #""messageId": "m1""#)
        ) {
            $0.receipt == ReportedReceipt(.read, of: .providerID("m1"), by: ["alex"])
        },
        Row("a deleted conversation as a receipt", event("conversation.delete", payload: #""conversationId": "c1""#)) {
            $0.receipt == ReportedReceipt(.deleted, of: .thread("c1"))
        },
        Row(
            "a read message without a reader", event("conversationMessage.read", payload: #""messageId": "m1""#)
        ) { $0.receipt == nil },
        Row("a delivered message", event("conversationMessage.delivered", payload: #""messageId": "m1""#)) {
            $0.receipt == nil
        },
        Row("the sender as a session", parts(#""sentBy": "session:bob""#)) {
            $0.quietForSender("bob").details["ownMessage"] == true
        },
        Row("the sender in from", parts(#""from": {"id": "bob"}, "sentBy": "USR/x""#)) {
            $0.quietForSender("bob").details["ownMessage"] == true
        },
        Row("another sender", parts(#""from": {"id": "bob"}"#)) {
            $0.quietForSender("ana").details["ownMessage"] == nil
        },
    ]

    static let sendios: [Row] = [
        Row(
            "texts in the data", #"{"message": {"token": "t", "data": {\#(route), "title": "NT", "body": "NB"}}}"#,
            .android
        ) {
            $0.dialect == "sendios" && $0.successText == NotificationText(title: "NT", body: "NB")
                && $0.problems.isEmpty
        },
        Row(
            "a notification in the data",
            #"{"message": {"token": "t", "data": {\#(route), "notification": "{\"title\": \"NT\", \"body\": \"NB\", \"image_url\": \"https://a.b/c.jpg\"}"}}}"#,
            .android
        ) {
            $0.successText.title == "NT" && $0.media.map(\.url) == ["https://a.b/c.jpg"]
        },
        Row(
            "the big picture of a notification",
            #"{"notification": {"title": "T", "body": "B", "image_url": "https://a.b/s.jpg", "image_url_big": "https://a.b/b.jpg"}, "data": {\#(route)}}"#
        ) {
            $0.media.map(\.url) == ["https://a.b/b.jpg"]
        },
        Row(
            "data for Android",
            #"{"message": {"token": "t", "android": {"data": {\#(route), "title": "NT", "body": "NB"}}}}"#, .android
        ) {
            $0.dialect == "sendios" && $0.successText.body == "NB"
        },
        Row("the route of another app", #"{\#(aps), "route": "profile", "image_url": "https://a.b/c.png"}"#) {
            $0.dialect == "apns" && $0.media.count == 1
        },
        Row("a flat push without an id", #"{\#(aps), "route": "chat", "from_user_id": "8812"}"#) {
            $0.dialect == "sendios"
        },
        Row(
            "the web push of the service worker",
            #"{"notification": {"title": "NT", "body": "NB", "icon": "https://a.b/i.png", "click_action": "https://x.example/a"}, "data": {"id": "77", "requireInteraction": true}}"#,
            .webpush
        ) {
            $0.successText.title == "NT" && $0.details["link"] == "https://x.example/a"
                && $0.media.map(\.role) == [.icon]
        },
        Row("a legacy push for the background", #"{"to": "t", "content_available": true, "data": {\#(route)}}"#) {
            $0.dialect == "sendios" && $0.isSilent && $0.problems.isEmpty
        },
        Row("a picture that is the text null", #"{\#(aps), "data": {\#(route), "image_url": "null"}}"#) {
            $0.media.isEmpty && $0.aps.launchImageName == nil
        },
    ]

    private static func rest(_ beside: String) -> String {
        #"{"type": "TEXT", "appId": "a", "title": "T", "text": "B", "fbText": "F", "state": "NEW" \#(beside)}"#
    }

    static let twoMee: [Row] = [
        Row("a state", rest("")) { $0.problems.isEmpty && $0.details["state"] == "NEW" },
        Row("a cancelled message", #"{"type": "TEXT", "appId": "a", "title": "T", "text": "B", "state": "CANCELLED"}"#)
        {
            $0.isSilent && $0.successText.isBlank && $0.problems.map(\.rule) == ["2mee-cancelled"]
        },
        Row("a misspelt stage", #"{\#(aps), "appear2mee": {"text": "x", "fbText": "F", "state": "prefetch"}}"#) {
            $0.problems.map(\.rule) == ["2mee-key"]
        },
        Row("tags and users", rest(#", "tags": {"a": "b"}, "userList": ["u"], "subType": "T""#)) {
            $0.details["tags"] == ["a": "b"] && $0.details["userList"] == ["u"] && $0.details["subType"] == "T"
        },
        Row(
            "a request below appear2mee",
            #"{\#(aps), "appear2mee": {"type": "HOLOPUSH", "text": "x", "fbText": "F", "holoPushUrl": "https://a.b/c.mp4"}}"#
        ) {
            $0.media.map(\.url) == ["https://a.b/c.mp4"] && $0.details["kind"] == "face"
        },
        Row("the ratio of the extended view", rest("")) {
            $0.details["presentation"]?["initialContentSizeRatio"]?.double == 0.6
        },
        Row("a blank fallback text", #"{\#(aps), "appear2mee": {"text": "x", "fbText": "  "}}"#) {
            $0.fallbackText == nil
        },
        Row("a push in the data, alone", #"{"data": {"appear2mee": {"text": "inner", "fbText": "F"}}}"#) {
            $0.dialect == "2mee" && $0.successText.body == "inner" && $0.detectedBy == "data.appear2mee"
        },
        Row(
            "a push in custom beside a silent aps",
            #"{"aps": {"content-available": 1}, "custom": {"appear2mee": {"stage": "prefetch", "kind": "image", "urls": ["https://a.b/c.png"]}}}"#
        ) {
            $0.dialect == "2mee" && $0.isSilent && $0.media.map(\.path?.description) == ["/custom/appear2mee/urls/0"]
        },
        Row("a push in the data beside a text", #"{\#(aps), "data": {"appear2mee": {"text": "inner", "fbText": "F"}}}"#)
        {
            $0.dialect == "apns" && $0.problems.map(\.rule) == ["inner-push"]
                && $0.problems.first?.place.description == "/data"
        },
        Row(
            "a push in a part of SNS",
            #"{"APNS": "{\"appear2mee\": {\"text\": \"inner\", \"fbText\": \"F\"}}"}"#
        ) { $0.dialect == "2mee" },
        Row(
            "a push in the data for Android",
            #"{"message": {"token": "t", "android": {"data": {"custom": "{\"i\": \"1\"}", "alert": "x"}}}}"#,
            .android
        ) { $0.dialect == "onesignal" },
    ]

    static let matrix: [Row] = [
        Row(
            "the file of a flat event",
            #"{"message": {"token": "t", "data": {"event_id": "$e", "room_id": "!r:e", "type": "m.room.message", "content_msgtype": "m.image", "content_body": "p", "content_url": "mxc://ex.org/photo", "unread": "2"}}}"#,
            .android
        ) {
            $0.media.map(\.url) == ["mxc://ex.org/photo"]
        },
        Row(
            "flat counts alone",
            #"{"message": {"token": "t", "data": {"prio": "high", "unread": "2", "missed_calls": "0"}}}"#, .android
        ) {
            $0.dialect == "matrix" && $0.isSilent && $0.quietIfSilent().aps.badge == 2 && $0.problems.isEmpty
        },
        Row(
            "names with controls",
            #"{"notification": {"event_id": "$e", "room_id": "!r", "sender_display_name": "Bank\u202eknaB\nYour code", "room_name": "A\u2028B", "content": {"body": "x"}, "devices": [{"app_id": "a", "pushkey": "b"}]}}"#
        ) {
            $0.successText == NotificationText(title: "A B", subtitle: "BankknaB Your code", body: "x")
        },
        Row(
            "the seed's name of an app",
            #"{"notification": {"event_id": "$e", "room_id": "!r", "devices": [{"appId": "a.prod", "pushkey": "b"}]}}"#
        ) {
            $0.details["devices"]?.array?.first?["appId"] == "a.prod" && $0.details["environment"] == "production"
        },
    ]

    @Test(arguments: comapi + sendios + twoMee + matrix)
    func `each shape is read as its sender means it`(_ row: Row) throws {
        let reading = try Self.read(row.payload, for: row.platform)
        #expect(row.expected(reading), "\(reading)")
    }

    @Test func `a silent push has no sound, badge or category`() throws {
        let payload = Self.event(
            "conversation.update", #""aps": {"sound": "x", "badge": 3, "category": "c"},"#, payload: "")
        let reading = try Self.read(payload, for: .apns).quietIfSilent()
        #expect(reading.isSilent && reading.aps.sound == nil && reading.aps.badge == nil && reading.aps.category == nil)
        let shown = try Self.read("{\(Self.aps.dropLast()), \"badge\": 3}}", for: .apns).quietIfSilent()
        #expect(!shown.isSilent && shown.aps.badge == 3)
    }
}
