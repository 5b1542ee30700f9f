import Base
import Foundation
import NotificationModel
import TestSupport
import Testing

/// Tests that the schema of the content rejects invalid contents. Each test changes one value in a golden content.
@Suite struct ContentSchemaStrictnessPlainTests {
    /// The further types that are valid for a value, by its path in a golden content (`#` for any index).
    private static let alternatives: [String: Set<JSONValue.Kind>] = [
        "/dialect": [.string, .null], "/problem": [.string, .null],
        "/providerId": [.string, .null], "/detectedBy": [.string, .null],
        "/phone/wouldRunExtension": [.null, .bool], "/content/badge": [.number, .null],
        "/content/targetContentIdentifier": [.string, .null], "/content/filterCriteria": [.string, .null],
        "/content/attachments/#/publicURL": [.null], "/content/attachments/#/duration": [.number, .null],
        "/recipient": [.string],
        "/content/attachments/#/source/duration": [.number, .null],
        "/content/attachments/#/source/frames": [.number, .null],
        "/content/attachments/#/options/thumbnailTime": [.number, .null],
        "/push/limit": [.null],
        "/verdicts/#/unError": [.null], "/verdicts/#/type/mimeType": [.null], "/verdicts/#/type/decidedBy": [.null],
        "/verdicts/#/type/declared": [.null], "/verdicts/#/type/agrees": [.bool, .null],
    ]
    .merging(streams("/content/attachments/#/streams")) { $1 }
    .merging(streams("/content/attachments/#/source/streams")) { $1 }

    private static func streams(_ place: String) -> [String: Set<JSONValue.Kind>] {
        var kinds: [String: Set<JSONValue.Kind>] = [:]
        for name in ["videoCodec", "audioCodec"] { kinds["\(place)/\(name)"] = [.string, .null] }
        for name in ["frameRate", "sampleRate", "channels", "bitRate"] { kinds["\(place)/\(name)"] = [.number, .null] }
        return kinds
    }

    /// The paths of objects with the sender's own values, which the schema does not check.
    private static let open: Set<String> = ["/content/userInfo", "/details", "/push/payload"]

    private static let replacements: [JSONValue] = [nil, true, 7, "x", [], [:]]

    private let schema: DocumentedSchema

    init() throws { schema = try .content() }

    @Test(arguments: try goldens())
    func `a golden content is valid`(name: String) throws {
        #expect(schema.violations(of: try Self.golden(name)) == [])
    }

    @Test(arguments: try goldens())
    func `the schema rejects a missing member and an unknown member`(name: String) throws {
        let golden = try Self.golden(name)
        var count = 0
        for path in Self.places(in: golden) {
            guard let object = JSONNode(golden).node(at: path).object, !Self.open.contains(path.description) else {
                continue
            }
            for index in object.members.indices {
                var members = object.members
                let key = members.remove(at: index).key
                let shorter = golden.replacing(path, with: .object(JSONObject(members: members)))
                #expect(!schema.violations(of: shorter).isEmpty, "\(path) without \(key)")
                count += 1
            }
            var longer = object
            longer.append("surprise", nil)
            #expect(!schema.violations(of: golden.replacing(path, with: .object(longer))).isEmpty, "\(path) with more")
        }
        #expect(count > 40)
    }

    /// Golden contents with one media item, with several media items, with a video, with omitted media items, and
    /// without media.
    private static let shapes = [
        "2mee-alert.json", "airship.json", "apns-background.json", "apns-full.json", "braze.json",
        "clevertap-template.json", "native.json", "webpush.android.json",
    ]

    @Test(arguments: shapes)
    func `the schema rejects a value of a wrong type`(name: String) throws {
        let golden = try Self.golden(name)
        for path in Self.places(in: golden) {
            let value = JSONNode(golden).node(at: path).value ?? .null
            for replacement in Self.replacements where replacement.kind != value.kind {
                let allowed = Self.alternatives[path.pattern] ?? []
                guard !allowed.contains(replacement.kind) else { continue }
                // A golden content without a thumbnail, a sound or a rectangle is valid, too.
                guard !(replacement == .null && Self.optional.contains(path.pattern)) else { continue }
                let changed = golden.replacing(path, with: replacement)
                #expect(!schema.violations(of: changed).isEmpty, "\(path) is \(JSONWriter.text(of: replacement))")
            }
        }
    }

    private static let optional: Set<String> = [
        "/content/sound", "/content/attachments/#/options/thumbnailClippingRect", "/content/attachments/#/thumbnail",
        "/content/attachments/#/poster", "/content/attachments/#/blurhash", "/content/attachments/#/dominantColor",
        "/content/attachments/#/streams", "/content/attachments/#/source/streams", "/verdicts/#/type",
    ]

    @Test(
        arguments: [
            ("/id", #""../x""#), ("/id", #""""#), ("/appGroup", #"".x""#), ("/dialect", #""APNs""#),
            ("/schemaVersion", "2"), ("/outcome", #""great""#), ("/outcome", #""fallback""#),
            ("/outcome", #""cancelled""#), ("/outcome", #""passthrough""#), ("/reason", #""too-large""#),
            ("/problem", "7"), ("/phone/wouldRunExtension", "false"), ("/phone/why", #""x""#),
            ("/content/badge", "1.5"), ("/content/sound", #"{"name":"x","critical":false,"volume":1.1}"#),
            ("/content/relevanceScore", "-0.1"), ("/content/interruptionLevel", #""urgent""#),
            ("/content/attachments", "[]"), ("/content/attachments/0/bytes", "-1"),
            ("/content/attachments/0/path", #""media/../x.jpg""#), ("/content/attachments/0/sha256", #""ABCD""#),
            ("/content/attachments/0/publicURL", #""ftp://a.example/x""#), ("/content/attachments/0/width", "-1"),
            ("/content/attachments/0/height", "-1"), ("/content/attachments/0/role", #""hero""#),
            ("/content/attachments/0/aside", "null"),
            ("/content/attachments/0/frames", "-1"),
            ("/content/attachments/0/thumbnail/width", "0"), ("/content/attachments/0/thumbnail/height", "0"),
            ("/content/attachments/0/thumbnail/mimeType", #""video/mp4""#),
            ("/content/attachments/0/source/bytes", "-1"),
            ("/content/attachments/0/source/mimeType", #""jpeg""#), ("/verdicts/0/type/mimeType", #""jpeg""#),
            ("/verdicts/0/type/decidedBy", #""luck""#), ("/verdicts/0/type/declared", #""jpeg""#),
            ("/content/attachments/0/type", #""public.heic""#), ("/content/attachments/0/mimeType", #""image/heic""#),
            ("/content/attachments/0/duration", "-1"), ("/content/attachments/0/source/cache", #""maybe""#),
            ("/content/attachments/0/options/thumbnailTime", "-1"), ("/push/limit", "4095"), ("/push/bytes", "-1"),
            ("/verdicts/0/result", #""omitted""#), ("/verdicts/0/reason", #""too-large""#),
            ("/verdicts/0/detail", #""x""#), ("/verdicts/0/unError", "103"),
            ("/verdicts/0/stages", #"[{"name":"lunch","ms":1}]"#), ("/verdicts/0/stages", #"[{"name":"dns","ms":-1}]"#),
            ("/timing/receivedAt", #""2027-01-15T08:00:00Z""#), ("/timing/deadline", #""2027-02-30T08:00:00.000Z""#),
            ("/timing/budgetMs", "3600001"), ("/timing/budgetMs", "-1"), ("/timing/elapsedMs", "0.5"),
        ])
    func `the schema rejects a value that no content can have`(place: String, value: String) throws {
        let golden = try Self.golden("apns-full.json")
        let path = try #require(Self.places(in: golden).first { $0.description == place })
        let changed = golden.replacing(path, with: try JSONParser.value(of: value))
        #expect(changed != golden)
        #expect(!schema.violations(of: changed).isEmpty)
    }

    @Test(
        arguments: [
            ("blurhash", #""LEHV6nWB2yk8pyo0adR*.7kCMdnj""#, true), ("blurhash", "null", true),
            ("blurhash", #""LEHV6""#, false), ("blurhash", #""LEHV6nWB2yk8 pyo0""#, false), ("blurhash", "7", false),
            ("blurhash", #""\#(String(repeating: "L", count: 167))""#, false),
            ("dominantColor", ##""#0a8f3c""##, true), ("dominantColor", "null", true),
            ("dominantColor", #""7a8f3c""#, false), ("dominantColor", ##""#7A8F3C""##, false),
            ("dominantColor", ##""#7a8f3""##, false), ("dominantColor", "7", false),
        ] as [(String, String, Bool)])
    func `the schema accepts only a well-formed preview of an attachment, or null`(
        key: String, value: String, isValid: Bool
    ) throws {
        let golden = try Self.golden("apns-full.json")
        let path = JSONPath([.key("content"), .key("attachments"), .index(0), .key(key)])
        let changed = golden.replacing(path, with: try JSONParser.value(of: value))
        #expect(changed != golden)
        #expect(schema.violations(of: changed).isEmpty == isValid)
    }

    private static func goldens() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Fixtures.directory + "/golden/samples").sorted()
    }

    private static func golden(_ name: String) throws -> JSONValue {
        try JSONParser.value(of: Fixtures.bytes("golden/samples/\(name)"))
    }

    /// Returns the paths of all values that the schema restricts.
    private static func places(in value: JSONValue) -> [JSONPath] { places(in: JSONNode(value)) }

    private static func places(in node: JSONNode) -> [JSONPath] {
        let inside = open.contains(node.path.description) ? [] : node.members.map(\.node) + node.elements
        return [node.path] + inside.flatMap { places(in: $0) }
    }
}

extension JSONValue {
    fileprivate enum Kind { case null, bool, number, string, array, object }

    fileprivate var kind: Kind {
        switch self {
        case .null: .null
        case .bool: .bool
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}

extension JSONPath {
    /// The path with `#` in place of each index.
    fileprivate var pattern: String {
        JSONPath(steps.map { if case .index = $0 { .key("#") } else { $0 } }).description
    }
}
