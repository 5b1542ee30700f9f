import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

/// Tests of the size limits of the push services, and of the texts that are shortened to keep within a limit.
@Suite struct ForwardedSizePlainTests {
    private func forward(
        _ payload: JSONObject, dialect: DialectID? = "apns", headers: JSONObject? = nil
    ) -> ForwardedPayload {
        let dialects: [any Dialect] = [FCMDialect(), WebPushDialect()]
        let reading = dialects.first { $0.id == dialect }?.read(JSONNode(payload)) ?? PushPayload()
        return ForwardedPayload(
            payload: payload, reading: reading, publicURLs: [:], headers: headers, dialect: dialect)
    }

    private func size(_ value: JSONValue) -> Int { JSONWriter.text(of: value).utf8.count }

    /// Returns a payload of `size` bytes with an alert. A filler at the key `data` makes the payload as long as
    /// required.
    private func alert(_ alert: JSONValue, size: Int) -> JSONObject {
        func payload(_ count: Int) -> JSONObject {
            ["aps": ["alert": alert, "badge": 1], "data": .string(String(repeating: "d", count: count))]
        }
        return payload(size - self.size(.object(payload(0))))
    }

    // MARK: Limits

    private static let voip: JSONObject = ["apns-push-type": "voip"]

    @Test(
        arguments: [
            (#"{"aps":{}}"#, "apns", nil, 4_096), (#"{"aps":{}}"#, "2mee", nil, 4_096),
            (#"{"aps":{}}"#, nil, nil, 4_096),
            (#"{"aps":{}}"#, "apns", voip, 5_120), (#"{"aps":{}}"#, "apns", ["APNs-Push-Type": "voip"], 5_120),
            (#"{"aps":{}}"#, "apns", ["apns-push-type": "alert"], 4_096),
            (#"{"aps":{}}"#, "apns", ["apns-topic": "voip"], 4_096), (#"{"call":1}"#, nil, voip, 5_120),
            (#"{"aps":7}"#, nil, nil, nil), (#"{"message":{}}"#, "fcm", nil, 4_096),
            (#"{"message":{}}"#, "fcm", voip, 4_096), (#"{"message":7}"#, "fcm", nil, nil),
            (#"{"message":{}}"#, "ntfy", nil, nil), (#"{"title":"x","icon":"u"}"#, "webpush", nil, 3_993),
            (#"{"title":"x","icon":"u"}"#, "native", nil, nil), ("{}", nil, nil, nil),
        ] as [(String, DialectID?, JSONObject?, Int?)])
    func `the size limit of a forwarded payload depends on its push service`(
        text: String, dialect: DialectID?, headers: JSONObject?, limit: Int?
    ) throws {
        let payload = try #require(try JSONParser.value(of: text).object)
        let forwarded = forward(payload, dialect: dialect, headers: headers)
        #expect(forwarded.limit == limit)
        #expect(forwarded.fits && !forwarded.isTruncated)
    }

    @Test
    func `only the message counts for the size of an FCM request, and all bytes count for other payloads`() {
        let message: JSONValue = ["token": "t", "data": ["k": "é"]]
        let payload: JSONObject = ["validate_only": true, "message": message]
        #expect(forward(payload, dialect: "fcm").byteCount == size(message))
        #expect(forward(payload, dialect: "ntfy").byteCount == size(.object(payload)))
    }

    @Test(
        arguments: [
            (4_096, nil, true), (4_097, nil, false), (5_120, voip, true), (5_121, voip, false),
        ] as [(Int, JSONObject?, Bool)])
    func `a payload within the limit is unchanged, and a payload with one byte more is shortened`(
        bytes: Int, headers: JSONObject?, fits: Bool
    ) {
        let payload = alert("a text of some words", size: bytes)
        let forwarded = forward(payload, headers: headers)
        #expect(forwarded.fits)
        #expect(forwarded.isTruncated == !fits)
        #expect((forwarded.payload == payload) == fits)
        // The text is ASCII, so no byte of the limit is wasted.
        #expect(forwarded.byteCount == (fits ? bytes : bytes - 1))
    }

    @Test func `the size limit of a web push is 3,993 bytes`() {
        func payload(_ count: Int) -> JSONObject {
            ["title": "t", "body": .string(String(repeating: "b", count: count)), "icon": "u"]
        }
        let rest = size(.object(payload(0)))
        #expect(!forward(payload(3_993 - rest), dialect: "webpush").isTruncated)
        let forwarded = forward(payload(3_994 - rest), dialect: "webpush")
        #expect(forwarded.byteCount == 3_993)
        #expect(forwarded.payload["body"] == .string(String(repeating: "b", count: 3_990 - rest) + "…"))
    }

    /// The first number is the number of bytes by which the URL is longer than the string that it replaces.
    @Test(arguments: [(6, "a text of some words"), (7, "a text of some w…"), (8, "a text of some …")])
    func `the size includes the public URLs, and a public URL is never shortened`(excess: Int, text: String) throws {
        let payload = alert("a text of some words", size: 4_090)
        let url = String(repeating: "u", count: try #require(payload["data"]?.string).utf8.count + excess)
        var reading = PushPayload()
        reading.media = [MediaReference(url: "d", path: JSONPath([.key("data")]))]
        let forwarded = ForwardedPayload(
            payload: payload, reading: reading, publicURLs: [0: url], headers: nil, dialect: "apns")
        #expect(forwarded.payload == ["aps": ["alert": .string(text), "badge": 1], "data": .string(url)])
        #expect(forwarded.byteCount == 4_096)
    }

    // MARK: Order

    private static let lines: JSONValue = [
        "title": "0123456789", "subtitle": "abcdefghij", "body": "ABCDEFGHIJ", "launch-image": "0123456789",
    ]

    /// The arguments are the number of bytes over the limit, and the lines after the shortening.
    @Test(
        arguments: [
            (1, "0123456789", "abcdefghij", "ABCDEF…"), (6, "0123456789", "abcdefghij", "A…"),
            (7, "0123456789", "abcdef…", "A…"), (12, "0123456789", "a…", "A…"), (13, "012345…", "a…", "A…"),
            (18, "0…", "a…", "A…"),
        ])
    func `the body is shortened first, then the subtitle, then the title`(
        excess: Int, title: String, subtitle: String, body: String
    ) {
        let forwarded = forward(alert(Self.lines, size: 4_096 + excess))
        #expect(
            forwarded.payload["aps"]["alert"] == [
                "title": .string(title), "subtitle": .string(subtitle), "body": .string(body),
                "launch-image": "0123456789",
            ])
        #expect(forwarded.isTruncated && forwarded.fits)
        #expect(forwarded.byteCount == 4_096)
    }

    @Test(arguments: [19, 1_000])
    func `the texts are unchanged if shortening all of them is not enough`(excess: Int) {
        let payload = alert(Self.lines, size: 4_096 + excess)
        let forwarded = forward(payload)
        #expect(forwarded.payload == payload)
        #expect(!forwarded.fits && !forwarded.isTruncated)
        #expect(forwarded.byteCount == 4_096 + excess)
    }

    @Test(arguments: ["", "a", "ab", "abcd", #"{"title":7,"body":null}"#, "7", "[]"])
    func `a payload is unchanged if no text can be shortened`(text: String) {
        let value = (try? JSONParser.value(of: text)) ?? .string(text)
        let payload = alert(value, size: 4_097)
        #expect(forward(payload).payload == payload)
        #expect(!forward(payload).fits)
    }

    /// `…` has three bytes in UTF-8. A shortened text of two bytes would therefore grow.
    @Test func `a text that would not become shorter is unchanged, and the next text is shortened`() {
        let texts: JSONValue = ["title": "0123456789", "body": "ab"]
        let forwarded = forward(alert(texts, size: 4_097))
        #expect(forwarded.payload["aps"]["alert"] == ["title": "012345…", "body": "ab"])
        #expect(forwarded.byteCount == 4_096)
    }

    // MARK: Characters

    /// The text repeats one character, and the payload is `excess` bytes over the limit.
    @Test(
        arguments: [
            "e\u{301}", "🇵🇹", "👩‍👩‍👧‍👦", "✔️", "👍🏽", "é", "日", "\n", "\"", "\\", "\u{7}", "\r\n", "각", "क्षि",
            "x\u{200D}", "a\u{FE0F}",
        ], 1...40)
    func `a shortened text loses only whole characters, and loses as few characters as possible`(
        character: String, excess: Int
    ) throws {
        let text = String(repeating: character, count: 60)
        try #require(text.count == 60)
        let forwarded = forward(alert(.string(text), size: 4_096 + excess))
        let body = try #require(forwarded.payload["aps"]["alert"]?.string)
        try #require(forwarded.fits && forwarded.isTruncated)
        #expect(body.hasSuffix("…"))
        let kept = body.dropLast().count
        #expect(body == String(repeating: character, count: kept) + "…")
        let width = size(.string(character)) - 2
        #expect(forwarded.byteCount <= 4_096 && forwarded.byteCount + width > 4_096, "one more character would not fit")
    }

    @Test func `a text with a single character is not shortened`() {
        let stack = "o" + String(repeating: "\u{301}", count: 1_500)
        let payload = alert(.string(stack + "xxxxxxxx"), size: 4_096 + 6)
        #expect(forward(payload).payload == payload)
        let cut = forward(alert(.string(stack + "xxxxxxxx"), size: 4_097)).payload["aps"]["alert"]?.string
        #expect(cut == stack + "xxxx…")
    }

    @Test(.timeLimit(.minutes(1))) func `a text of megabytes is shortened within a minute`() {
        let forwarded = forward(["aps": ["alert": .string(String(repeating: "é", count: 4_000_000))]])
        #expect(forwarded.fits)
        #expect(forwarded.byteCount == 4_095)
    }

    // MARK: Several places

    @Test func `an FCM message that is too long is shortened in the text of each platform`() throws {
        let long = String(repeating: "x", count: 1_500)
        let text = """
            {"message":{"notification":{"title":"T","body":"\(long)"},"android":{"notification":{"body":"\(long)"}},
             "webpush":{"notification":{"title":"W","body":"\(long)","data":"\(String(long.prefix(700)))"}},
             "apns":{"payload":{"aps":{"alert":{"title":"A","subtitle":"S","body":"short"}}}}}}
            """
        let forwarded = forward(try #require(try JSONParser.value(of: text).object), dialect: "fcm")
        #expect(forwarded.fits && forwarded.isTruncated)
        let message = forwarded.payload["message"]
        let bodies = [message, message["android"], message["webpush"]].map { $0["notification"]["body"]?.string }
        #expect(Set(bodies).count == 1, "cut to the same length")
        #expect(bodies.first.flatMap(\.self)?.hasSuffix("x…") == true)
        #expect(forwarded.byteCount + 3 > 4_096)
        #expect(message["apns"]["payload"]["aps"]["alert"] == ["title": "A", "subtitle": "S", "body": "short"])
        #expect(message["webpush"]["notification"]["data"]?.string?.count == 700)
        #expect(message["notification"]["title"] == "T")
    }

    @Test(arguments: [
        (#"{"message":{"apns":{"payload":{"aps":{"alert":"BODY"}}}}}"#, "fcm"),
        (#"{"message":{"android":{"notification":{"title":"BODY"}}}}"#, "fcm"),
        (#"{"message":{"apns":{"payload":{"aps":{"alert":{"subtitle":"BODY"}}}}}}"#, "fcm"),
        (#"{"web_push":8030,"notification":{"title":"BODY"}}"#, "webpush"),
        (#"{"web_push":8030,"notification":{"title":"t","body":"BODY"}}"#, "webpush"),
        (#"{"title":"BODY","icon":"u"}"#, "webpush"), (#"{"aps":{"alert":"BODY"},"title":"t"}"#, "apns"),
    ])
    func `a text that a recipient shows is shortened in each payload format`(text: String, dialect: DialectID) throws {
        let long = text.replacing("BODY", with: String(repeating: "x", count: 6_000))
        let forwarded = forward(try #require(try JSONParser.value(of: long).object), dialect: dialect)
        #expect(forwarded.byteCount == forwarded.limit)
        #expect(forwarded.isTruncated)
    }

    @Test(arguments: [
        (#"{"message":{"data":{"note":"LONG"}}}"#, "fcm"), (#"{"aps":{"alert":"x"},"body":"LONG"}"#, "apns"),
        (#"{"web_push":8030,"notification":{"title":"t"},"body":"LONG"}"#, "webpush"),
        (#"{"title":"t","notification":{"body":"LONG"},"icon":"u"}"#, "webpush"),
    ])
    func `a text that no recipient sees is not shortened`(text: String, dialect: DialectID) throws {
        let long = text.replacing("LONG", with: String(repeating: "x", count: 6_000))
        let payload = try #require(try JSONParser.value(of: long).object)
        let forwarded = forward(payload, dialect: dialect)
        #expect(forwarded.payload == payload)
        #expect(!forwarded.fits)
    }
}
