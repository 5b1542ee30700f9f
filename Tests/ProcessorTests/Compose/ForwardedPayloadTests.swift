import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of the values that are replaced in a forwarded payload, and of the values that do not change.
@Suite struct ForwardedPayloadTests {
    private func forward(_ text: String, _ publicURLs: [Int: String]) throws -> ForwardedPayload {
        let payload = try #require(try JSONParser.value(of: text).object)
        let reading = DialectTable.standard.read(payload)
        return ForwardedPayload(
            payload: payload, reading: reading, publicURLs: publicURLs, headers: nil, dialect: reading.dialect)
    }

    private func text(_ forwarded: ForwardedPayload) -> String { JSONWriter.text(of: .object(forwarded.payload)) }

    @Test(arguments: try SampleFixture.all())
    func `the forwarded payload of each sample has the public URLs of its media, and is otherwise unchanged`(
        sample: SampleFixture
    ) throws {
        let request = sample.request(at: ManualClock()).request
        let reading = DialectTable.standard.read(request.payload, requested: request.dialect)
        let urls = reading.media.indices.map { "https://public.example/media/\($0).jpg" }
        func forward(_ payload: JSONObject, _ urls: [String]) -> JSONObject {
            ForwardedPayload(
                payload: payload, reading: reading,
                publicURLs: Dictionary(uniqueKeysWithValues: urls.enumerated().map { ($0, $1) }), headers: nil,
                dialect: reading.dialect
            ).payload
        }
        let forwarded = forward(request.payload, urls)
        let again = DialectTable.standard.read(forwarded, requested: reading.dialect)
        #expect(again.media.map(\.url) == urls)
        #expect(again.successText == reading.successText)
        #expect(again.fallbackText == reading.fallbackText)
        // A part with bytes gets its URL at another key, and loses its bytes.
        guard reading.media.allSatisfy({ $0.publicURLKey == nil }) else { return }
        #expect(again.media.map(\.path) == reading.media.map(\.path))
        #expect(forward(forwarded, reading.media.map(\.url)) == request.payload)
        #expect((forwarded == request.payload) == urls.isEmpty)
    }

    @Test func `the URL of the rendition replaces the bytes in a part`() throws {
        let before =
            #"{"parts":[{"name":"a.heic","type":"image/heic","url":null,"data":"AAAA","size":3},{"type":"text/plain","data":"x"}]}"#
        let payload = try #require(try JSONParser.value(of: before).object)
        let info = RenditionInfo(kind: .attachment, type: .jpeg, byteCount: 500, width: 4, height: 3)
        let forwarded = ForwardedPayload(
            payload: payload, reading: DialectTable.standard.read(payload), publicURLs: [0: "https://p.example/1.jpg"],
            renditions: [0: info], headers: nil, dialect: "comapi")
        #expect(
            text(forwarded)
                == #"{"parts":[{"name":"a.jpg","type":"image/jpeg","url":"https://p.example/1.jpg","size":500},{"type":"text/plain","data":"x"}]}"#
        )
    }

    @Test func `forwarding keeps the order, the digits, repeated keys and unknown members`() throws {
        let before =
            #"{"z":1.50,"aps":{"mutable-content":1,"alert":"é \"q\""},"big":123456789012345678901,"e":1e+2,"image":"old","image":"https://a.example/1","n":null,"a":[{},[]]}"#
        let forwarded = try forward(before, [0: "https://p.example/1.jpg"])
        #expect(text(forwarded) == before.replacing("https://a.example/1", with: "https://p.example/1.jpg"))
    }

    @Test func `a repeated URL is replaced only at the JSON path of the media item`() throws {
        let twice =
            #"{"aps":{"alert":"https://a.example/1"},"link":"https://a.example/1","appear2mee":{"urls":["https://a.example/1","https://a.example/1"]}}"#
        #expect(
            text(try forward(twice, [1: "P"]))
                == #"{"aps":{"alert":"https://a.example/1"},"link":"https://a.example/1","appear2mee":{"urls":["https://a.example/1","P"]}}"#
        )
    }

    @Test func `a URL in embedded JSON is replaced inside the JSON string`() throws {
        let payload =
            #"{"aps":{"alert":"x"},"pt_id":"t","pt_json":"{\"pt_big_img\":\"https://a.example/1\",\"n\":1.0,\"pt_gif\":\"https://a.example/2\"}"}"#
        let forwarded = try forward(payload, [0: #"https://p.example/"1""#, 1: "https://p.example/2"])
        #expect(
            forwarded.payload["pt_json"]
                == #"{"pt_big_img":"https://p.example/\"1\"","n":1.0,"pt_gif":"https://p.example/2"}"#)
        #expect(
            DialectTable.standard.read(forwarded.payload).media.map(\.url)
                == [#"https://p.example/"1""#, "https://p.example/2"])
    }

    @Test(arguments: [[:], [1: "P"], [-1: "P"], [7: "P"]] as [[Int: String]])
    func `a media item without a public URL keeps its URL, and a public URL at an unknown index is ignored`(
        urls: [Int: String]
    ) throws {
        let payload = #"{"aps":{"alert":"x"},"image":"https://a.example/1"}"#
        #expect(text(try forward(payload, urls)) == payload)
    }

    @Test func `a URL is replaced only if its media item has a JSON path`() {
        var reading = PushPayload()
        reading.media = [MediaReference(url: "https://a.example/1")]
        let payload: JSONObject = ["aps": ["alert": "x"], "image": "https://a.example/1"]
        let forwarded = ForwardedPayload(
            payload: payload, reading: reading, publicURLs: [0: "P"], headers: nil, dialect: nil)
        #expect(forwarded.payload == payload)
    }

    @Test func `the JSON of a forwarded payload has payload, bytes, limit, truncated and fits`() throws {
        let json = try forward(#"{"aps":{"alert":"x"},"image":"u"}"#, [0: "P"]).json
        #expect(
            JSONWriter.text(of: json)
                == #"{"payload":{"aps":{"alert":"x"},"image":"P"},"bytes":33,"limit":4096,"truncated":false,"fits":true}"#
        )
        let unlimited = try forward(#"{"topic":"t"}"#, [:]).json
        #expect(
            JSONWriter.text(of: unlimited)
                == #"{"payload":{"topic":"t"},"bytes":13,"limit":null,"truncated":false,"fits":true}"#)
    }
}
