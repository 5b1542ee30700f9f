import Base
import NotificationModel
import NotificationProcessor
import PayloadLint
import TestSupport
import Testing

/// Tests that the type and the size beside a URL in a forwarded payload are those of the rendition at the URL. Each
/// sample is tested with each type of rendition.
@Suite struct ForwardedTypesPlainTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let sample: SampleFixture
        let made: MediaFormat

        var testDescription: String { "\(sample.name) as \(made.fileExtension)" }

        static func all() throws -> [Case] {
            try SampleFixture.all().flatMap { sample in MediaFormat.renditions.map { Case(sample: sample, made: $0) } }
        }
    }

    /// A path in a provider's payload, with `#` for any index, and the value that the payload must have at this path.
    private typealias Rule = (place: String, value: @Sendable (RenditionInfo) -> JSONValue)

    /// The rules of the providers, by the dialect and by the path of the URL.
    private static let rules: [String: [String: [Rule]]] = [
        "native": [
            "media/#/url": [
                ("type", mimeType), ("size", bytes), ("width", { .number(JSONNumber($0.width)) }),
                ("height", { .number(JSONNumber($0.height)) }),
            ]
        ],
        "comapi": ["parts/#/url": [("type", mimeType), ("size", bytes)]],
        "matrix": [
            "notification/content/url": [
                ("info/mimetype", mimeType), ("info/size", bytes), ("info/w", { .number(JSONNumber($0.width)) }),
                ("info/h", { .number(JSONNumber($0.height)) }),
                ("msgtype", { classOfType["\($0.type)"].map { .string("m." + $0) } ?? .null }),
            ]
        ],
        // Braze allows eight types, which are written without a dot.
        "braze": [
            "ab/att/url": [("type", fileExtension)],
            "messages/apple_push/asset_url": [("asset_file_type", fileExtension)],
        ],
        "clevertap": [
            "ct_mediaUrl": [
                (
                    "ct_mediaType",
                    { $0.type == .gif ? "gif" : classOfType["\($0.type)"].map { .string($0) } ?? .null }
                )
            ]
        ],
        "moengage": [
            "moengage/media-attachment": [
                (
                    "media-type",
                    { $0.type == .gif ? "gif" : classOfType["\($0.type)"].map { .string($0) } ?? .null }
                )
            ]
        ],
        "batch": ["com.batch/at/u": [("t", mimeType)]],
        "klaviyo": ["rich-media": [("rich-media-type", fileExtension)]],
        "ntfy": [
            "attachment/url": [
                ("type", mimeType), ("size", bytes), ("name", { .string("cam2." + $0.type.fileExtension) }),
            ]
        ],
    ]

    private static let classOfType = [
        "jpeg": "image", "png": "image", "gif": "image", "mp4": "video", "m4a": "audio", "mp3": "audio", "wav": "audio",
        "aiff": "audio", "webp": "image", "avif": "image",
    ]
    private static let mimeType: @Sendable (RenditionInfo) -> JSONValue = { .string($0.type.mimeType) }
    private static let fileExtension: @Sendable (RenditionInfo) -> JSONValue = { .string($0.type.fileExtension) }
    private static let bytes: @Sendable (RenditionInfo) -> JSONValue = { .number(JSONNumber($0.byteCount)) }

    @Test(arguments: try Case.all())
    func `the types and sizes in a forwarded payload agree with the files at its URLs`(example: Case) throws {
        let run = SampleRun(example.sample.object, made: example.made)
        let notification = try #require(run.contents(.ready).first)
        let payload = try #require(notification.push["payload"]?.object)
        let shown = notification.attachments
        let again = DialectTable.standard.read(payload, requested: notification.payload.dialect)
        for attachment in shown {
            let url = try #require(attachment.publicURL)
            let info = attachment.asset.info
            #expect(url.hasSuffix("." + info.type.fileExtension))
            let item = try #require(again.media.first { $0.url == url })
            #expect(
                item.declaredType?.agrees(withMIMEType: info.type.mimeType) != false || again.dialect == "sendios")
            if let declared = item.declaredByteCount { #expect(declared == info.byteCount) }
            try check(item, info, in: payload, of: notification.payload.dialect)
        }
    }

    /// Checks the payload against the table. The check uses only the path of the URL from the dialect's reading.
    private func check(
        _ item: MediaReference, _ info: RenditionInfo, in payload: JSONObject, of dialect: DialectID?
    ) throws {
        let path = try #require(item.path)
        let pattern = path.steps.map { step in
            switch step {
            case .key(let key): key
            case .index: "#"
            case .embedded: "()"
            }
        }.joined(separator: "/")
        guard let rules = Self.rules[dialect?.description ?? ""]?[pattern] else { return }
        let parent = JSONNode(payload).node(at: JSONPath(path.steps.dropLast()))
        for rule in rules {
            let node = rule.place.split(separator: "/").reduce(parent) { $0[String($1)] }
            // The rule does not apply if the sample does not have this value.
            guard let value = node.value else { continue }
            #expect(value == rule.value(info), "\(node.path)")
        }
    }

    // Only browsers get WebP and AVIF renditions. The rules for phones do not accept these types.
    @Test(arguments: try Case.all().filter { ![.webp, .avif].contains($0.made) })
    func `lint finds no wrong type in a forwarded payload`(example: Case) throws {
        let run = SampleRun(example.sample.object, made: example.made)
        let push = try #require(run.contents(.ready).first?.push["payload"]?.object)
        let file = LintFile(name: "push.json", bytes: JSONWriter.bytes(of: .object(push)))
        let wrong = PayloadLinter(date: ManualClock().date).lint(file).filter {
            ["declared-type-disagrees", "unknown-media-type", "braze-type", "inline-media-broken", "declared-size"]
                .contains($0.rule)
        }
        #expect(wrong == [], "\(wrong.map(\.message))")
    }

    private static let others = [
        (
            #"{"aps":{"alert":"x","mutable-content":1},"com.batch":{"at":{"u":"https://a.example/1.webp","t":"image/webp"}}}"#,
            "com.batch", "image/png"
        ),
        (
            #"{"aps":{"alert":"x","mutable-content":1},"com.batch":"{\"at\":{\"u\":\"https://a.example/1\",\"t\":\"image/webp\"}}"}"#,
            "com.batch", "image/png"
        ),
        (
            #"{"aps":{"alert":"x","mutable-content":1},"rich-media":"https://a.example/1.png"}"#, "rich-media-type",
            "png"
        ),
        (
            #"{"aps":{"alert":"x","mutable-content":1},"attachment":{"url":"https://a.example/1","content-type":"jpeg"}}"#,
            "attachment", "png"
        ),
        (
            #"{"aps":{"alert":"x","mutable-content":1},"attachment":{"url":"https://a.example/1","content-type":"public.jpeg"}}"#,
            "attachment", "public.png"
        ),
        (
            #"{"aps":{"alert":"x"},"attachment_url":"https://a.example/1","attachment_name":"a.jpg","attachment_type":"image/jpeg","attachment_size":"7"}"#,
            "attachment_size", "48213"
        ),
        (
            #"{"aps":{"alert":"x"},"media":[{"url":"https://a.example/1","type":"image/webp","size":7,"width":9,"height":"9","name":"a.webp"}]}"#,
            "media",
            #""type":"image/png","size":48213,"width":1024,"height":"512","name":"a.png""#
        ),
    ]

    @Test(arguments: others)
    func `the types in a forwarded payload are also corrected in formats without a sample`(
        text: String, key: String, value: String
    ) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        let notification = try #require(SampleRun(object, made: .png).contents(.ready).first)
        let rewritten = try #require(notification.push["payload"][key])
        #expect(JSONWriter.text(of: rewritten).contains(value), "\(JSONWriter.text(of: rewritten))")
    }

    @Test func `every dialect in the table of rules has a sample`() throws {
        let dialects = Set(try SampleFixture.all().map { $0.expected["dialect"]?.string ?? "" })
        #expect(Set(Self.rules.keys).subtracting(dialects).isEmpty)
    }
}
