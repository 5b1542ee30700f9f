import NotificationModel
import NotificationProcessor
import Testing

@Suite struct MediaURLResolverTests {
    private static let own = MediaURLResolver(homeserver: "https://hs.example", homeAssistant: "https://ha.example")

    @Test(
        arguments: [
            ("https://a.example/x.jpg", nil, ["https://a.example/x.jpg"]),
            ("/x.jpg", nil, ["/x.jpg"]), ("//a.example/x.jpg", "homeassistant", ["//a.example/x.jpg"]),
            ("/local/x.jpg", "homeassistant", ["https://ha.example/local/x.jpg"]),
            (
                "mxc://b.example/AbC", "matrix",
                [
                    "https://hs.example/_matrix/client/v1/media/download/b.example/AbC",
                    "https://hs.example/_matrix/media/v3/download/b.example/AbC",
                    "https://hs.example/_api/media/r0/download/b.example/AbC",
                ]
            ),
        ] as [(String, DialectID?, [String])])
    func `the resolver returns the URLs of a reference in the order in which they are tried`(
        url: String, dialect: DialectID?, expected: [String]
    ) throws {
        let locations = try Self.own.locations(of: MediaReference(url: url), dialect: dialect).get()
        #expect(locations == expected)
    }

    @Test(
        arguments: [
            ("/local/x.jpg", "homeassistant", MediaURLResolver()), ("/../x.jpg", "homeassistant", own),
            ("/a/%2e%2E/x.jpg", "homeassistant", own), ("mxc://b.example/../x", "matrix", own),
        ] as [(String, DialectID?, MediaURLResolver)])
    func `the resolver returns a failure for a reference that it cannot resolve`(
        url: String, dialect: DialectID?, locator: MediaURLResolver
    ) {
        #expect(throws: MediaFailure.self) {
            try locator.locations(of: MediaReference(url: url), dialect: dialect).get()
        }
    }
}
