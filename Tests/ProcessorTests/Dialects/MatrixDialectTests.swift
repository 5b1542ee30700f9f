import Base
import Foundation
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct MatrixDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        MatrixDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    /// Reads the notification of a request to a push gateway, with one device.
    private func gateway(_ members: String, device: String = "{}") throws -> PushPayload {
        try read(#"{"notification":{"devices":[\#(device)],\#(members)}}"#)
    }

    @Test(
        arguments: [
            (#"{"notification":{"devices":[]}}"#, "notification.devices[]"),
            (#"{"notification":{"devices":[{}]},"room_id":"!r","event_id":"$e"}"#, "notification.devices[]"),
            (#"{"room_id":"!r","event_id":"$e","aps":{}}"#, "room_id+event_id"),
            (#"{"notification":{"room_id":"!r","event_id":"$e"}}"#, "notification.room_id+event_id"),
            (#"{"notification":{"devices":{}}}"#, nil), (#"{"notification":[]}"#, nil), (#"{"room_id":"!r"}"#, nil),
            (#"{"event_id":"$e"}"#, nil), (#"{"room_id":7,"event_id":"$e"}"#, nil),
            (#"{"room_id":"","event_id":"$e"}"#, nil), (#"{"notification":{"room_id":"!r"},"event_id":"$e"}"#, nil),
        ] as [(String, String?)])
    func `the dialect recognises a push gateway request and a bare event`(text: String, rule: String?) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(MatrixDialect().detect(object) == rule)
    }

    @Test func `the file and its thumbnail keep their URLs, their roles and their types`() throws {
        let media = try gateway(
            #""content":{"url":"mxc://a.example/1","info":{"mimetype":"video/mp4","thumbnail_url":"mxc://a.example/2","thumbnail_info":{"mimetype":"image/png"}}}"#
        ).media
        #expect(media.map(\.url) == ["mxc://a.example/1", "mxc://a.example/2"])
        #expect(
            media.map(\.path?.description) == [
                "/notification/content/url", "/notification/content/info/thumbnail_url",
            ])
        #expect(media.map(\.role) == [.attachment, .thumbnail])
        #expect(media.map(\.declaredType) == [.mimeType("video/mp4"), nil])
    }

    @Test(arguments: [
        #""type":"m.room.encrypted","content":{"algorithm":"m.megolm.v1.aes-sha2","ciphertext":"x"}"#,
        #""type":"m.room.encrypted","content":{"url":"mxc://a.example/1"}"#,
        #""content":{"ciphertext":"x","url":"mxc://a.example/1"}"#,
        #""content":{"msgtype":"m.image","file":{"url":"mxc://a.example/1","key":{}},"info":{"thumbnail_file":{"url":"mxc://a.example/2"}}}"#,
    ])
    func `an encrypted event has no media`(members: String) throws {
        #expect(try gateway(members).media == [])
    }

    @Test(
        arguments: [
            (#""room_name":"R","sender_display_name":"S","content":{"body":"B"}"#, "R", "S", "B"),
            (#""room_name":"R","room_alias":"A""#, "R", nil, nil), (#""room_alias":"A""#, "A", nil, nil),
            (#""room_name":"","room_alias":"A","sender_display_name":"","content":{"body":""}"#, "A", nil, nil),
            (#""sender":"@s:a.example","content":{"body":7}"#, nil, "@s:a.example", nil),
        ] as [(String, String?, String?, String?)])
    func `the title is the room, the subtitle is the sender, and the body is the message`(
        members: String, title: String?, subtitle: String?, body: String?
    ) throws {
        let payload = try gateway(members)
        #expect(payload.successText == NotificationText(title: title, subtitle: subtitle, body: body))
        #expect(payload.fallbackText == nil)
    }

    private static let payloadOfDevice = #"""
        {"data":{"default_payload":{"aps":{"mutable-content":1,"badge":9,"sound":"aps","alert":{"loc-key":"K","title-loc-key":"T"}}}},"tweaks":{"sound":"tweak","highlight":false}}
        """#

    @Test func `the default payload of a device is read as the payload for the phone`() throws {
        let payload = try gateway(#""counts":{"unread":2},"room_id":"!r""#, device: Self.payloadOfDevice)
        #expect(payload.aps.mutableContent)
        #expect(payload.aps.hasVisibleAlert)
        #expect(payload.aps.badge == 2)
        #expect(payload.aps.sound == NotificationSound(name: "tweak"))
        #expect(payload.aps.threadIdentifier == "!r")
        #expect(payload.localization.body?.key == "K")
        #expect(payload.localization.title?.key == "T")
    }

    @Test func `a text of the event takes precedence over the alert in the device's payload`() throws {
        let device = Self.payloadOfDevice.replacingOccurrences(
            of: #""loc-key":"K""#, with: #""loc-key":"K","body":"A","title":"A""#)
        let payload = try gateway(#""content":{"body":"B"}"#, device: device)
        #expect(payload.successText == NotificationText(title: "A", body: "B"))
        #expect(
            payload.localization.place.description == "/notification/devices/0/data/default_payload/aps/alert")
        #expect(payload.aps.badge == 9)
    }

    @Test func `an event with only IDs has a badge and no media`() throws {
        let payload = try read(
            #"{"aps":{"mutable-content":1,"content-available":1,"alert":{"loc-key":"SINGLE_UNREAD"}},"room_id":"!r","event_id":"$e","unread_count":2,"pusher_notification_client_identifier":"c"}"#
        )
        #expect(payload.media == [])
        #expect(payload.successText == NotificationText(body: "New message"))
        #expect(payload.localization.body?.key == "SINGLE_UNREAD")
        #expect(payload.providerID == "$e")
        #expect(payload.aps.threadIdentifier == "!r")
        #expect(payload.aps.badge == 2)
        #expect(!payload.isSilent)
        #expect(payload.details == ["roomId": "!r", "eventId": "$e", "clientIdentifier": "c"])
    }

    @Test func `an event with only IDs is also read inside the object notification`() throws {
        let payload = try read(#"{"notification":{"room_id":"!r","event_id":"$e","sender":"@s"}}"#)
        #expect(payload.providerID == "$e")
        #expect(payload.details == ["roomId": "!r", "eventId": "$e", "sender": "@s"])
    }

    @Test(
        arguments: [
            (
                #"{"app_id":"org.example.prod","pushkey":"ZGVtby1wdXNoa2V5","lang":"de"}"#,
                [
                    "appId": "org.example.prod", "pushKey": "ZGVtby1wdXNoa2V5", "environment": "prod",
                    "pushKeyBytes": 12, "lang": "de",
                ]
            ),
            (
                #"{"app_id":"org.example.dev","pushkey":"https://push.example/x","data":{"lang":"fr"}}"#,
                [
                    "appId": "org.example.dev", "pushKey": "https://push.example/x", "environment": "dev",
                    "lang": "fr", "data": ["lang": "fr"],
                ]
            ),
            (
                #"{"app_id":"a.dev","kind":"http","profile_tag":"t","app_display_name":"My App","device_display_name":"Ana's iPhone","data":{"url":"https://example.com/_api/push/v1/notify"},"tweaks":{"highlight":true}}"#,
                [
                    "appId": "a.dev", "environment": "dev", "profileTag": "t", "appDisplayName": "My App",
                    "deviceDisplayName": "Ana's iPhone", "kind": "http",
                    "data": ["url": "https://example.com/_api/push/v1/notify"], "tweaks": ["highlight": true],
                ]
            ),
            (
                #"{"appDisplayName":"My App","data":{"profile_tag":"t","kind":"http"},"tweaks":{}}"#,
                [
                    "environment": nil, "profileTag": "t", "appDisplayName": "My App", "kind": "http",
                    "data": ["profile_tag": "t", "kind": "http"],
                ]
            ),
            (
                #"{"app_id":"org.example.ios","pushkey":"ZGVtbw"}"#,
                ["appId": "org.example.ios", "pushKey": "ZGVtbw", "environment": nil]
            ),
            (#"{"app_id":"prod"}"#, ["appId": "prod", "environment": nil]),
            (#"{"app_id":7,"pushkey":7,"lang":7,"data":7,"tweaks":7}"#, ["environment": nil]),
        ] as [(String, JSONValue)])
    func `the details contain the values of a device`(device: String, detail: JSONValue) throws {
        let details = try gateway(#""sender":"@s""#, device: device).details
        #expect(details["sender"] == "@s" && details["devices"] == [detail])
    }

    @Test(
        arguments: [
            (#"{"app_id":"org.example.dev"}"#, "development"), (#"{"app_id":"org.example"}"#, "production"),
            (#"{"app_id":"org.example.tv.dev"}"#, "production"), (#"{"pushkey":"a"}"#, nil),
            (#"{"app_id":"a"},{"app_id":"b.prod"}"#, "production"), (#"{"app_id":"a"},{"app_id":"b.dev"}"#, nil),
        ] as [(String, String?)])
    func `the rules of the configuration name the environment in the details`(
        _ devices: String, _ environment: String?
    ) throws {
        var settings = DialectTable.Settings()
        settings.matrixApps = MatrixApps([.init(pattern: "org.example.tv*", environment: .production)])
        let payload = try JSONParser.value(of: #"{"notification":{"devices":[\#(devices)]}}"#).object
        let reading = DialectTable(settings).read(try #require(payload))
        #expect(reading.dialect == "matrix")
        #expect(reading.details["environment"]?.string == environment)
    }

    @Test func `several devices are listed in their order, and the first sound is used`() throws {
        let devices = #"{"app_id":"a"},7,{"app_id":"b","tweaks":{"sound":"s"}},null"#
        let payload = try gateway(#""sender":"@s""#, device: devices)
        #expect(payload.details["devices"]?.array?.map { $0["appId"]?.string } == ["a", "b"])
        #expect(payload.aps.sound == NotificationSound(name: "s"))
    }

    @Test func `the unread count is read as the badge, and the details contain all counts`() throws {
        let payload = try gateway(
            #""event_id":"$e","counts":{"unread":2,"missed_calls":1},"prio":"high","type":"m.room.message""#)
        #expect(payload.aps.badge == 2)
        #expect(
            payload.details == [
                "eventId": "$e", "type": "m.room.message", "prio": "high", "counts": ["unread": 2, "missedCalls": 1],
                "devices": [["environment": nil]],
            ])
    }

    @Test(
        arguments: [
            (#""counts":{"unread":"2"}"#, 2, nil), (#""counts":{"unread":0}"#, 0, nil),
            (
                #""counts":{"unread":1.5}"#, nil,
                "/notification/counts/unread: the count is not a whole number of 0 or more"
            ),
            (
                #""counts":{"unread":-1}"#, nil,
                "/notification/counts/unread: the count is not a whole number of 0 or more"
            ),
            (#""counts":7"#, nil, "/notification/counts: the counts are not an object"),
        ] as [(String, Int?, String?)])
    func `a count that is not a whole number of 0 or more sets no badge, and is reported as a problem`(
        members: String, badge: Int?, problem: String?
    ) throws {
        let payload = try gateway(#""event_id":"$e",\#(members)"#)
        #expect(payload.aps.badge == badge)
        #expect(payload.problems.summary == problem)
    }

    @Test func `a push with counts and without an event has no sound`() throws {
        let payload = try gateway(#""counts":{"unread":2}"#, device: #"{"tweaks":{"sound":"bing"}}"#)
        #expect(payload.isSilent && payload.aps.sound == nil)
    }

    @Test func `a push with counts and without an event changes the badge and shows no text`() throws {
        let device = #"{"data":{"default_payload":{"aps":{"mutable-content":1,"alert":{"loc-key":"K","title":"x"}}}}}"#
        let payload = try gateway(#""counts":{"unread":0,"missed_calls":0},"prio":"high""#, device: device)
        #expect(payload.isSilent)
        #expect(payload.aps.badge == 0)
        #expect(payload.successText.isEmpty)
        #expect(payload.localization.isEmpty)
    }

    @Test(
        arguments: [
            (#""event_id":"$e""#, #"{"tweaks":{"highlight":true}}"#, .timeSensitive),
            (#""event_id":"$e","prio":"low""#, #"{"tweaks":{"highlight":true}}"#, .timeSensitive),
            (#""event_id":"$e","prio":"low""#, #"{"tweaks":{"highlight":false}}"#, .passive),
            (#""event_id":"$e","prio":"high""#, "{}", .active), (#""event_id":"$e","prio":7"#, "{}", .active),
            (
                #""event_id":"$e","prio":"low""#,
                #"{"tweaks":{"highlight":true},"data":{"default_payload":{"aps":{"interruption-level":"active"}}}}"#,
                .active
            ),
        ] as [(String, String, InterruptionLevel)])
    func `a highlighted event is time-sensitive, and an event of low priority is passive`(
        members: String, device: String, level: InterruptionLevel
    ) throws {
        #expect(try gateway(members, device: device).aps.interruptionLevel == level)
    }

    @Test(
        arguments: [
            (#""type":"m.room.message""#, "New message"), (#""type":"m.room.encrypted""#, "Encrypted message"),
            (#""type":"m.room.message","content":{"msgtype":"m.image"}"#, "Image"),
            (#""type":"m.room.message","content":{"msgtype":"m.video","body":""}"#, "Video"),
            (#""type":"m.room.member","membership":"invite""#, "Invitation to a room"),
            (#""type":"m.room.member","membership":"join""#, "Change of members"),
            (#""type":"m.call.invite""#, "Incoming call"), (#""type":"org.example.custom""#, "New message"),
            (#""content":{"body":"Hi"}"#, "Hi"),
        ])
    func `an event without a text has the English text of its type`(members: String, body: String) throws {
        let device = #"{"data":{"default_payload":{"aps":{"mutable-content":1,"alert":{"loc-key":"K"}}}}}"#
        let payload = try gateway(#""event_id":"$e","room_id":"!r",\#(members)"#, device: device)
        #expect(payload.successText.body == body)
    }

    @Test func `the text of a string table replaces the English text`() async throws {
        let bench = PipelineBench(tables: FakeTables(["Base": ["SINGLE_UNREAD": "Eine neue Nachricht"]]))
        let event = #"{"aps":{"mutable-content":1,"alert":{"loc-key":"SINGLE_UNREAD"}},"room_id":"!r","event_id":"$e"}"#
        let notification = try #require(try await bench.process(bench.request(event)).first)
        #expect(notification.text.body == "Eine neue Nachricht")
        #expect(notification.problem == nil)
    }

    @Test(arguments: [
        #"{"notification":7}"#, #"{"notification":{"devices":7}}"#, #"{"notification":{"devices":[7,null,"x"]}}"#,
        #"{"notification":{"devices":[],"content":"{\"url\":\"mxc","room_id":7,"event_id":{}}}"#,
        #"{"notification":{"devices":[],"content":{"url":7,"info":7},"counts":{"unread":null},"room_name":7}}"#,
        #"{"notification":{"devices":[],"content":{"url":"u","url":null,"info":{"thumbnail_url":[],"mimetype":7}},"sender":7}}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws {
        #expect(try read(text).saysNothing)
    }
}
