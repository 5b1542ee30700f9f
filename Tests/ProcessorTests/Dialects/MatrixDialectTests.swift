import Foundation
import NotificationModel
import NotificationProcessor
import Testing

@Suite struct MatrixDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        MatrixDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    /// What a gateway is told, with one device.
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
    func `a gateway's notification and a bare event are recognised`(text: String, rule: String?) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(MatrixDialect().detect(object) == rule)
    }

    @Test func `the file and its thumbnail are kept as they are written`() throws {
        let media = try gateway(
            #""content":{"url":"mxc://a.example/1","info":{"mimetype":"video/mp4","thumbnail_url":"mxc://a.example/2","thumbnail_info":{"mimetype":"image/png"}}}"#
        ).media
        #expect(
            media == [
                MediaReference(
                    url: "mxc://a.example/1", path: JSONPath([.key("notification"), .key("content"), .key("url")]),
                    declaredType: .mimeType("video/mp4")),
                MediaReference(
                    url: "mxc://a.example/2",
                    path: JSONPath([.key("notification"), .key("content"), .key("info"), .key("thumbnail_url")]),
                    role: .thumbnail),
            ])
    }

    @Test(arguments: [
        #""type":"m.room.encrypted","content":{"algorithm":"m.megolm.v1.aes-sha2","ciphertext":"x"}"#,
        #""type":"m.room.encrypted","content":{"url":"mxc://a.example/1"}"#,
        #""content":{"ciphertext":"x","url":"mxc://a.example/1"}"#,
        #""content":{"msgtype":"m.image","file":{"url":"mxc://a.example/1","key":{}},"info":{"thumbnail_file":{"url":"mxc://a.example/2"}}}"#,
    ])
    func `what is encrypted has no media`(members: String) throws {
        #expect(try gateway(members).media == [])
    }

    @Test(
        arguments: [
            (#""room_name":"R","sender_display_name":"S","content":{"body":"B"}"#, "R", "S", "B"),
            (#""room_name":"R","room_alias":"A""#, "R", nil, nil), (#""room_alias":"A""#, "A", nil, nil),
            (#""room_name":"","room_alias":"A","sender_display_name":"","content":{"body":""}"#, "A", nil, nil),
            (#""sender":"@s:a.example","content":{"body":7}"#, nil, nil, nil),
        ] as [(String, String?, String?, String?)])
    func `room, sender and message are the three lines`(
        members: String, title: String?, subtitle: String?, body: String?
    ) throws {
        let payload = try gateway(members)
        #expect(payload.successText == NotificationText(title: title, subtitle: subtitle, body: body))
        #expect(payload.fallbackText == nil)
    }

    private static let payloadOfDevice = #"""
        {"data":{"default_payload":{"aps":{"mutable-content":1,"badge":9,"sound":"aps","alert":{"loc-key":"K","title-loc-key":"T"}}}},"tweaks":{"sound":"tweak","highlight":false}}
        """#

    @Test func `the device's own payload is what the phone gets`() throws {
        let payload = try gateway(#""counts":{"unread":2},"room_id":"!r""#, device: Self.payloadOfDevice)
        #expect(payload.aps.mutableContent)
        #expect(payload.aps.hasVisibleAlert)
        #expect(payload.aps.badge == 2)
        #expect(payload.aps.sound == NotificationSound(name: "tweak"))
        #expect(payload.aps.threadIdentifier == "!r")
        #expect(payload.localization.body?.key == "K")
        #expect(payload.localization.title?.key == "T")
    }

    @Test func `a line of the event goes before the alert's, which is in the device's own payload`() throws {
        let device = Self.payloadOfDevice.replacingOccurrences(
            of: #""loc-key":"K""#, with: #""loc-key":"K","body":"A","title":"A""#)
        let payload = try gateway(#""content":{"body":"B"}"#, device: device)
        #expect(payload.successText == NotificationText(title: "A", body: "B"))
        #expect(
            payload.localization.place.description == "/notification/devices/0/data/default_payload/aps/alert")
        #expect(payload.aps.badge == 9)
    }

    @Test func `an event by its ids has no media, a badge and its account`() throws {
        let payload = try read(
            #"{"aps":{"mutable-content":1,"content-available":1,"alert":{"loc-key":"SINGLE_UNREAD"}},"room_id":"!r","event_id":"$e","unread_count":2,"pusher_notification_client_identifier":"c"}"#
        )
        #expect(payload.media == [])
        #expect(payload.successText.isEmpty)
        #expect(payload.localization.body?.key == "SINGLE_UNREAD")
        #expect(payload.providerID == "$e")
        #expect(payload.aps.threadIdentifier == "!r")
        #expect(payload.aps.badge == 2)
        #expect(!payload.isSilent)
        #expect(payload.details == ["roomId": "!r", "eventId": "$e", "clientIdentifier": "c"])
    }

    @Test func `a nested event by its ids is read too`() throws {
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
                ["appId": "org.example.dev", "pushKey": "https://push.example/x", "environment": "dev", "lang": "fr"]
            ),
            (
                #"{"app_id":"org.example.ios","pushkey":"ZGVtbw"}"#,
                ["appId": "org.example.ios", "pushKey": "ZGVtbw", "environment": nil]
            ),
            (#"{"app_id":"prod"}"#, ["appId": "prod", "environment": nil]),
            (#"{"app_id":7,"pushkey":7,"lang":7,"data":7,"tweaks":7}"#, ["environment": nil]),
        ] as [(String, JSONValue)])
    func `a device is told with its environment and key`(device: String, detail: JSONValue) throws {
        #expect(try gateway(#""prio":"high""#, device: device).details == ["devices": [detail]])
    }

    @Test func `several devices are told in their order, and the first sound is taken`() throws {
        let devices = #"{"app_id":"a"},7,{"app_id":"b","tweaks":{"sound":"s"}},null"#
        let payload = try gateway(#""sender":"@s""#, device: devices)
        #expect(payload.details["devices"]?.array?.map { $0["appId"]?.string } == ["a", "b"])
        #expect(payload.aps.sound == NotificationSound(name: "s"))
    }

    @Test(arguments: [
        #"{"notification":7}"#, #"{"notification":{"devices":7}}"#, #"{"notification":{"devices":[7,null,"x"]}}"#,
        #"{"notification":{"devices":[],"content":"{\"url\":\"mxc","counts":7,"room_id":7,"event_id":{}}}"#,
        #"{"notification":{"devices":[],"content":{"url":7,"info":7},"counts":{"unread":"2"},"room_name":7}}"#,
        #"{"notification":{"devices":[],"content":{"url":"u","url":null,"info":{"thumbnail_url":[],"mimetype":7}},"sender":7}}"#,
    ])
    func `what is not of its type is not there`(text: String) throws {
        #expect(try read(text) == PushPayload())
    }
}
