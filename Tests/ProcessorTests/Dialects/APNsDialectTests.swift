import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct APNsDialectTests {
    /// The keys in the row of `apns` in docs/use/dialects.md.
    private static let keys = [
        "media-url", "media_url", "image-url", "image_url", "attachment-url", "attachment_url", "image", "video",
        "audio",
    ]

    private func media(_ object: JSONObject) -> [MediaReference] { APNsDialect().read(JSONNode(object)).media }

    @Test(arguments: keys)
    func `a URL at each custom key that senders use is read as a media item`(key: String) {
        let item = MediaReference(url: "https://a.example/1", path: JSONPath([.key(key)]))
        #expect(media(["aps": [:], key: "https://a.example/1"]) == [item])
        #expect(media(["aps": [key: "https://a.example/1"]]) == [], "the key is not read inside aps")
    }

    @Test func `the key that is first in the table is used for any order of the payload's keys`() {
        var object: JSONObject = ["aps": [:]]
        for key in Self.keys.reversed() { object.append(key, .string(key)) }
        #expect(media(object).map(\.url) == ["media-url"])
        object.append("media", ["url": "nested"])
        #expect(media(object).map(\.url) == ["nested"])
    }

    @Test func `a Live Activity has no attachments`() {
        #expect(media(["aps": ["content-state": [:], "alert": "x"], "image": "https://a.example/1"]) == [])
    }

    @Test func `a plain APNs payload has no fallback text`() {
        let payload = APNsDialect().read(JSONNode(["aps": ["alert": "x"], "image": "u"]))
        #expect(payload.fallbackText == nil)
        #expect(payload.expiresAt == nil)
        #expect(payload.actions == [])
    }

    @Test(
        arguments: [
            (["photo.src"], ["/photo/src"]), (["nothing", "photo.src", "image"], ["/photo/src"]),
            (["gallery[].u", "photo.src"], ["/gallery/0/u", "/gallery/2/u"]), (["gallery[2].u"], ["/gallery/2/u"]),
            ([#"com\.vendor.pic"#], ["/com.vendor/pic"]), (["gallery[1].u", "gallery"], []), ([], []),
        ] as [([String], [String])])
    func `configured keys replace the common keys`(keys: [String], places: [String]) throws {
        let object: JSONObject = [
            "aps": [:], "image": "common", "photo": ["src": "1"], "gallery": [["u": "2"], ["u": 7], ["u": "3"]],
            "com.vendor": ["pic": "4"],
        ]
        let dialect = APNsDialect(mediaKeys: MediaKeys(try keys.map { try KeyPathText($0) }))
        #expect(dialect.read(JSONNode(object)).media.map(\.path?.description) == places)
    }

    @Test(
        arguments: [
            (#""imageUrl":"https://a/1""#, "aps+imageUrl"), (#""imageURL":"HTTP://a/1""#, "aps+imageURL"),
            (#""attachmentUrl":"https://a/1""#, "aps+attachmentUrl"), (#""mediaUrl":"https://a/1""#, "aps+mediaUrl"),
            (#""media":"https://a/1""#, "aps+media"), (#""picture":"https://a/1""#, "aps+picture"),
            (#""photo":"data:image/png;base64,AAAA""#, "aps+photo"),
            (#""data":{"image":"https://a/1"}"#, "aps+data.image"),
            (#""data":{"media":{"url":"https://a/1"}}"#, "aps+data.media.url"),
            (#""data":{"photo":"https://a/1"},"image":"u""#, "aps"), (#""image":"photo.jpg""#, "aps"),
        ])
    func `the detection rule names the key if only a URL at that key is a media item`(keys: String, rule: String) throws
    {
        let object = try #require(try JSONParser.value(of: #"{"aps":{},\#(keys)}"#).object)
        #expect(APNsDialect().detect(object) == rule)
        #expect(media(object).count == 1)
    }

    @Test(arguments: [
        #""imageUrl":"photo.jpg""#, #""media":"video""#, #""picture":"file:///a.png""#, #""data":{"image":"icon"}"#,
        #""data":{"image":7}"#, #""data":"https://a/1""#, #""photo":"/photos/1.jpg""#, #""mediaUrl":"https:/a""#,
    ])
    func `a value that is not a web URL is no media item at a key that requires a URL`(keys: String) throws {
        let object = try #require(try JSONParser.value(of: #"{"aps":{},\#(keys)}"#).object)
        #expect(APNsDialect().detect(object) == "aps")
        #expect(media(object) == [])
    }
}
