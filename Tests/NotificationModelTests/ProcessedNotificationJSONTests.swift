import Base
import Foundation
import NotificationModel
import Testing

/// Tests of the JSON of a result: each key, each value, and their order.
@Suite struct ProcessedNotificationJSONTests {
    private static let transfer: TransferTiming = {
        var transfer = TransferTiming(origin: "https://cdn.example")
        transfer.address = "192.0.2.1"
        transfer.port = 443
        transfer.protocolName = "h2"
        transfer.isReused = true
        transfer.wait = .microseconds(12_345)
        transfer.body = .microseconds(50)
        transfer.wireBytes = 900
        transfer.bodyBytes = 1_000
        transfer.status = 200
        return transfer
    }()

    @Test func `a complete result has the expected JSON`() throws {
        var payload = PushPayload()
        payload.dialect = "2mee"
        payload.detectedBy = "appear2mee"
        payload.providerID = "msg-bb"
        payload.aps.badge = 1
        payload.aps.sound = NotificationSound(name: "default")
        payload.aps.sound?.critical = true
        payload.aps.sound?.volume = 0.5
        payload.aps.category = "cat"
        payload.aps.threadIdentifier = "thread"
        payload.aps.targetContentIdentifier = "window"
        payload.aps.interruptionLevel = .timeSensitive
        payload.aps.relevanceScore = 0.75
        payload.details = ["kind": "face"]
        payload.aps.filterCriteria = "work"
        payload.aps.launchImageName = "Launch"
        var options = AttachmentOptions()
        options.thumbnailHidden = true
        options.thumbnailClippingRect = .init(x: 0, y: 0.25, width: 1, height: 0.5)
        options.thumbnailTime = 2.5
        let clip = RenditionInfo(
            kind: .attachment, type: .mp4, byteCount: 48_213, width: 1_280, height: 720, frames: 60,
            duration: .microseconds(2_000_499))
        let still = RenditionInfo(kind: .thumbnail, type: .jpeg, byteCount: 99, width: 256, height: 144)
        let poster = RenditionInfo(
            kind: .poster, type: .png, byteCount: 98, width: 1_024, height: 576,
            preview: ImagePreview(blurhash: "00TSUA", dominantColor: "#7a8f3c"))
        let attachment = NotificationAttachment(
            identifier: "hero", asset: StoredAsset(info: clip, sha256: "ab12", path: "media/ab/ab12.mp4"),
            thumbnail: StoredAsset(info: still, sha256: "cd", path: "media/cd/cd.jpg"),
            poster: StoredAsset(info: poster, sha256: "ef", path: "media/ef/ef.png"), options: options,
            sourceURL: "https://a.example/x.mov", sourceByteCount: 2_931_022, sourceType: "video/quicktime")
        var notification = ProcessedNotification(
            id: try #require(RequestID("id-1")), appGroup: try #require(AppGroupName("group.demo")), profile: .ios,
            payload: payload, outcome: .partial, reason: .tooLarge, problem: "a problem",
            text: NotificationText(title: "T", subtitle: "S", body: "B"),
            actions: [NotificationAction(identifier: "accept", title: "Play")], attachments: [attachment],
            verdicts: [
                Verdict(
                    url: "https://a.example/x.mov", identifier: "hero", failure: nil,
                    unError: .attachmentUnrecognizedType, sourceType: "video/quicktime",
                    declaredType: .fileExtension("mp4"),
                    stages: [
                        Stage(name: .connect, duration: .microseconds(3_149)),
                        Stage(name: .body, duration: .microseconds(50)),
                    ], transfers: [Self.transfer]),
                Verdict(
                    url: "https://a.example/y", identifier: "media-2", failure: MediaFailure(.tooLarge, "60 MB"),
                    stages: []),
            ],
            timing: .init(
                receivedAt: Date(timeIntervalSince1970: 1_800_000_000), budget: .seconds(30),
                elapsed: .milliseconds(412)),
            userInfo: ["z": .number(JSONNumber(literal: "1.10")), "a": [nil]],
            phone: PhoneView(wouldRunExtension: false, why: "no alert"), push: ["payload": ["a": 1], "bytes": 7])
        notification.recipient = "USR/ana"
        notification.labels = ["job=superman"]
        #expect(JSONWriter.text(of: notification.json, pretty: true) == Self.rich)
    }

    private static let rich = """
        {
          "schemaVersion": 1,
          "id": "id-1",
          "appGroup": "group.demo",
          "dialect": "2mee",
          "profile": "ios",
          "outcome": "partial",
          "reason": "too-large",
          "problem": "a problem",
          "providerId": "msg-bb",
          "recipient": "USR/ana",
          "labels": [
            "job=superman"
          ],
          "detectedBy": "appear2mee",
          "phone": {
            "wouldRunExtension": false,
            "why": "no alert"
          },
          "content": {
            "title": "T",
            "subtitle": "S",
            "body": "B",
            "badge": 1,
            "sound": {
              "name": "default",
              "critical": true,
              "volume": 0.5
            },
            "categoryIdentifier": "cat",
            "threadIdentifier": "thread",
            "targetContentIdentifier": "window",
            "interruptionLevel": "time-sensitive",
            "relevanceScore": 0.75,
            "filterCriteria": "work",
            "launchImageName": "Launch",
            "userInfo": {
              "z": 1.10,
              "a": [
                null
              ]
            },
            "actions": [
              {
                "identifier": "accept",
                "title": "Play"
              }
            ],
            "attachments": [
              {
                "identifier": "hero",
                "role": "attachment",
                "aside": false,
                "path": "media/ab/ab12.mp4",
                "publicURL": null,
                "type": "public.mpeg-4",
                "mimeType": "video/mp4",
                "bytes": 48213,
                "width": 1280,
                "height": 720,
                "duration": 2.0,
                "frames": 60,
                "streams": null,
                "sha256": "ab12",
                "blurhash": "00TSUA",
                "dominantColor": "#7a8f3c",
                "options": {
                  "thumbnailHidden": true,
                  "thumbnailClippingRect": {
                    "x": 0.0,
                    "y": 0.25,
                    "width": 1.0,
                    "height": 0.5
                  },
                  "thumbnailTime": 2.5
                },
                "thumbnail": {
                  "path": "media/cd/cd.jpg",
                  "width": 256,
                  "height": 144,
                  "mimeType": "image/jpeg"
                },
                "poster": {
                  "path": "media/ef/ef.png",
                  "width": 1024,
                  "height": 576,
                  "mimeType": "image/png"
                },
                "source": {
                  "url": "https://a.example/x.mov",
                  "bytes": 2931022,
                  "mimeType": "video/quicktime",
                  "cache": "miss",
                  "duration": null,
                  "frames": null,
                  "streams": null
                }
              }
            ]
          },
          "details": {
            "kind": "face"
          },
          "push": {
            "payload": {
              "a": 1
            },
            "bytes": 7
          },
          "verdicts": [
            {
              "url": "https://a.example/x.mov",
              "identifier": "hero",
              "result": "shown",
              "reason": null,
              "detail": null,
              "unError": 101,
              "type": {
                "mimeType": "video/quicktime",
                "decidedBy": "bytes",
                "declared": "ext:mp4",
                "agrees": false
              },
              "stages": [
                {
                  "name": "connect",
                  "ms": 3.1
                },
                {
                  "name": "body",
                  "ms": 0.1
                }
              ],
              "transfers": [
                {
                  "origin": "https://cdn.example",
                  "address": "192.0.2.1",
                  "port": 443,
                  "protocol": "h2",
                  "reused": true,
                  "hedged": false,
                  "dnsMs": null,
                  "connectMs": null,
                  "tlsMs": null,
                  "waitMs": 12.3,
                  "bodyMs": 0.1,
                  "wireBytes": 900,
                  "bodyBytes": 1000,
                  "status": 200,
                  "reason": null
                }
              ]
            },
            {
              "url": "https://a.example/y",
              "identifier": "media-2",
              "result": "omitted",
              "reason": "too-large",
              "detail": "60 MB",
              "unError": 102,
              "type": null,
              "stages": [],
              "transfers": []
            }
          ],
          "timing": {
            "receivedAt": "2027-01-15T08:00:00.000Z",
            "deadline": "2027-01-15T08:00:30.000Z",
            "emittedAt": "2027-01-15T08:00:00.412Z",
            "budgetMs": 30000,
            "elapsedMs": 412
          }
        }
        """

    @Test func `fields that a payload does not set have their default values`() throws {
        let notification = ProcessedNotification(
            id: try #require(RequestID("id-2")), appGroup: .default, profile: .ios, payload: PushPayload(),
            outcome: .passthrough, reason: nil, text: NotificationText(),
            timing: .init(receivedAt: Date(timeIntervalSince1970: 0), budget: .zero, elapsed: .zero), userInfo: [:])
        let time = #""1970-01-01T00:00:00.000Z""#
        #expect(
            JSONWriter.text(of: notification.json) == """
                {"schemaVersion":1,"id":"id-2","appGroup":"group.default","dialect":null,"profile":"ios",\
                "outcome":"passthrough","reason":null,"problem":null,"providerId":null,"recipient":null,"labels":[],\
                "detectedBy":null,\
                "phone":{"wouldRunExtension":null,"why":null},\
                "content":{"title":"","subtitle":"","body":"","badge":null,"sound":null,"categoryIdentifier":"",\
                "threadIdentifier":"","targetContentIdentifier":null,"interruptionLevel":"active",\
                "relevanceScore":0.0,"filterCriteria":null,"launchImageName":"","userInfo":{},"actions":[],\
                "attachments":[]},"details":{},"push":{"payload":null},"verdicts":[],"timing":{"receivedAt":\(time),"deadline":\(time),\
                "emittedAt":\(time),"budgetMs":0,"elapsedMs":0}}
                """)
    }

    @Test func `each millisecond of a second is written exactly`() {
        let second = Date(timeIntervalSince1970: 1_800_000_000)
        for millisecond in 0..<1_000 {
            let padded = String(repeating: "0", count: 3 - "\(millisecond)".count) + "\(millisecond)"
            let date = second.addingTimeInterval(Duration.milliseconds(millisecond).seconds)
            #expect(JSONValue.timestamp(date) == .string("2027-01-15T08:00:00.\(padded)Z"))
        }
    }

    @Test(arguments: MediaFormat.renditions)
    func `the type names of a rendition are consistent`(type: MediaFormat) {
        let expected: [MediaFormat: [String]] = [
            .jpeg: ["image/jpeg", "public.jpeg", "jpg"], .png: ["image/png", "public.png", "png"],
            .gif: ["image/gif", "com.compuserve.gif", "gif"], .mp4: ["video/mp4", "public.mpeg-4", "mp4"],
            .m4a: ["audio/mp4", "public.mpeg-4-audio", "m4a"], .mp3: ["audio/mpeg", "public.mp3", "mp3"],
            .wav: ["audio/wav", "com.microsoft.waveform-audio", "wav"],
            .aiff: ["audio/aiff", "public.aiff-audio", "aif"],
            .webp: ["image/webp", "org.webmproject.webp", "webp"], .avif: ["image/avif", "public.avif", "avif"],
        ]
        #expect([type.mimeType, type.uniformTypeIdentifier, type.fileExtension] == expected[type])
    }
}
