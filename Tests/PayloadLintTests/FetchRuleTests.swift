import Base
import NotificationModel
import PayloadLint
import Testing

/// Tests of the rules for fetched media.
@Suite struct FetchRuleTests {
    static let rules: Set<String> = [
        "medium-not-fetched", "not-a-medium", "medium-too-large", "medium-not-shown", "medium-type-differs",
    ]

    struct Fetched: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var url = "https://media.example.net/cat.jpg"
        let fact: MediaFact
        let rules: [String]
        var says = ""
    }

    private static func file(_ format: MediaFormat?, _ bytes: Int = 1_000, _ type: String? = nil) -> MediaFact {
        .fetched(byteCount: bytes, format: format, declaredType: type)
    }

    @Test(arguments: [
        Fetched(testDescription: "as it ought to be", fact: file(.jpeg, 1_000, "image/jpeg"), rules: []),
        Fetched(
            testDescription: "not there", fact: .failed(MediaFailure(.httpStatus, "the origin answers 404")),
            rules: ["medium-not-fetched"], says: "http-status"),
        Fetched(testDescription: "an error page", fact: file(.html), rules: ["not-a-medium"], says: "HTML"),
        Fetched(testDescription: "unknown bytes", fact: file(nil), rules: ["not-a-medium"], says: "an unknown type"),
        Fetched(testDescription: "empty", fact: file(nil, 0), rules: ["not-a-medium"], says: "empty"),
        Fetched(testDescription: "10 MB", fact: file(.jpeg, 10 << 20), rules: []),
        Fetched(
            testDescription: "a byte more", fact: file(.jpeg, 10 << 20 + 1), rules: ["medium-too-large"], says: "10 MB"),
        Fetched(
            testDescription: "a long sound", url: "https://a.b/c.mp3", fact: file(.mp3, 5 << 20 + 1),
            rules: ["medium-too-large"], says: "5 MB"),
        Fetched(
            testDescription: "a long video", url: "https://a.b/c.mp4", fact: file(.mp4, 50 << 20), rules: []),
        Fetched(
            testDescription: "WebP as such", url: "https://a.b/c", fact: file(.webp), rules: ["medium-not-shown"],
            says: "WebP"),
        Fetched(
            testDescription: "PNG as JPEG", fact: file(.png, 1_000, "image/png"), rules: ["medium-type-differs"],
            says: "the URL says JPEG"),
        Fetched(
            testDescription: "an origin that says GIF", fact: file(.jpeg, 1_000, "image/gif; x=y"),
            rules: ["medium-type-differs"], says: "the origin says GIF"),
        Fetched(
            testDescription: "an origin that says nothing", fact: file(.jpeg, 1_000, "application/octet-stream"),
            rules: []),
    ])
    func `a fetched file has the expected findings about its type and its size`(_ fetched: Fetched) throws {
        let found = Lint.findings(RuleCase.image(fetched.url), facts: [fetched.url: fetched.fact])
        #expect(found.map(\.rule) == fetched.rules)
        if let first = found.first {
            #expect(first.pointer == "/image")
            #expect(first.message.contains(fetched.says), "\(first.message)")
        }
    }

    @Test func `lint compares the declared type with the bytes of the file`() {
        let url = "https://a.b/c"
        let found = Lint.findings(
            RuleCase.aps(RuleCase.rich, #""rich-media": "\#(url)", "rich-media-type": "gif""#),
            facts: [url: Self.file(.png)])
        #expect(found.map(\.rule) == ["medium-type-differs"])
        #expect(found.first?.message.contains("the payload says GIF") == true)
    }

    @Test func `limits of phones do not apply to a web push`() {
        let url = "https://a.b/c.webp"
        let found = Lint.findings(#"{"title": "x", "image": "\#(url)"}"#, facts: [url: Self.file(.webp, 30 << 20)])
        #expect(found == [])
    }

    @Test func `each fetchable URL is listed once, in order, and a URL with a mistake is not listed`() {
        let urls = [
            "https://a.b/2.png", "ftp://a.b/x", "https://a.b/1.png", "rel.png", "https://a.b/2.png", "http://a.b/3",
        ]
        let media = urls.map { #"{"url": "\#($0)"}"# }.joined(separator: ",")
        let file = LintFile(
            name: "x", bytes: Array(#"{"media": [\#(media)]} {"media": [{"url": "https://a.b/4"}]}"#.utf8))
        #expect(
            Lint.linter.fetchableMedia(of: [file]).map(\.reference.url) == [
                "https://a.b/2.png", "https://a.b/1.png", "http://a.b/3", "https://a.b/4",
            ])
    }
}
