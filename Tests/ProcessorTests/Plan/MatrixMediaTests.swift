import FoundationEssentials
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct MatrixMediaTests {
    @Test(arguments: [
        ("mxc://example.org/AbC", "example.org", "AbC"), ("mxc://example.org:8448/a", "example.org:8448", "a"),
        ("mxc://1.2.3.4/a", "1.2.3.4", "a"), ("mxc://1.2.3.4:1/a", "1.2.3.4:1", "a"),
        ("mxc://[1234:5678::abcd]/a", "[1234:5678::abcd]", "a"), ("mxc://[::1]:65535/a", "[::1]:65535", "a"),
        ("mxc://[::ffff:1.2.3.4]/a", "[::ffff:1.2.3.4]", "a"), ("mxc://localhost/a_-9", "localhost", "a_-9"),
        ("mxc://EXAMPLE.org/a", "EXAMPLE.org", "a"), ("mxc://xn--bcher-kva.example/a", "xn--bcher-kva.example", "a"),
        ("mxc://4chan.example/a", "4chan.example", "a"),
    ])
    func `a Matrix reference is parsed into a server and an ID`(reference: String, server: String, id: String) throws {
        let media = try #require(MatrixMedia(reference))
        #expect(media.serverName == server)
        #expect(media.mediaID == id)
    }

    @Test(arguments: [
        // These references have a wrong form.
        "", "mxc:", "mxc://", "mxc:///a", "mxc://example.org", "mxc://example.org/", "mxc:/example.org/a",
        "https://example.org/a", "MXC://example.org/a", " mxc://example.org/a", "mxc://example.org/a\n",
        // These references leave the directory.
        "mxc://example.org/..", "mxc://example.org/.", "mxc://example.org/a/b", "mxc://example.org/../../secret",
        "mxc://example.org//a", "mxc://example.org/a/", "mxc://example.org/..\\a", "mxc://../a", "mxc://./a",
        "mxc://example.org/%2e%2e", "mxc://example.org/a%2fb", "mxc://example.org/a%00", "mxc://ex%61mple.org/a",
        // These references have a query, a fragment, a user or another suffix.
        "mxc://example.org/a?b", "mxc://example.org/a#b", "mxc://example.org?x/a", "mxc://example.org#x/a",
        "mxc://user@example.org/a", "mxc://user:7@example.org/a", "mxc://example.org:443@evil.example/a",
        "mxc://example.org\\@evil.example/a", "mxc://example.org/a;b", "mxc://example.org/a.jpg",
        // These references have a wrong port.
        "mxc://example.org:/a", "mxc://example.org:0/a", "mxc://example.org:65536/a", "mxc://example.org:000443/a",
        "mxc://example.org:-1/a", "mxc://example.org:+1/a", "mxc://example.org:1:2/a", "mxc://example.org:x/a",
        "mxc://[::1]8448/a", "mxc://[::1]:/a", "mxc://:443/a",
        // These references have a wrong host name.
        "mxc://exa mple.org/a", "mxc://.example.org/a", "mxc://example..org/a", "mxc://example.org./a",
        "mxc://-example.org/a", "mxc://example-.org/a", "mxc://exa_mple.org/a", "mxc://bücher.example/a",
        "mxc://example.org\u{301}/a", "mxc://exam\u{0}ple.org/a", "mxc://example\u{3002}org/a", "mxc://*.example.org/a",
        // Some programs read these host names as IPv4 addresses.
        "mxc://127.1/a", "mxc://2130706433/a", "mxc://0x7f000001/a", "mxc://0X7F.1/a", "mxc://127.0.0.0X1/a",
        "mxc://256.1.1.1/a",
        "mxc://1.2.3.4.5/a", "mxc://01.2.3.4/a", "mxc://example.0x1/a",
        // These references have a wrong IPv6 address.
        "mxc://::1/a", "mxc://[::1/a", "mxc://::1]/a", "mxc://[]/a", "mxc://[test::1]/a", "mxc://[::1%25eth0]/a",
        "mxc://[1.2.3.4]/a", "mxc://[[::1]]/a", "mxc://[::1]x/a", "mxc://[v1.x]/a",
    ])
    func `a string of any other form is not a Matrix reference`(reference: String) {
        #expect(MatrixMedia(reference) == nil)
    }

    @Test func `host names and IDs have a maximum length`() {
        let label = String(repeating: "a", count: 63)
        let host = "\(label).\(label).\(label).\(label)"
        #expect(MatrixMedia("mxc://\(host)/a") != nil)
        #expect(MatrixMedia("mxc://\(host)a/a") == nil)
        #expect(MatrixMedia("mxc://\(label)a.org/a") == nil)
        let short = String(repeating: "a.", count: 127)
        #expect(MatrixMedia("mxc://\(short)b/a") != nil)
        #expect(MatrixMedia("mxc://\(short)bb/a") == nil)
        let id = String(repeating: "a", count: 255)
        #expect(MatrixMedia("mxc://a.org/\(id)") != nil)
        #expect(MatrixMedia("mxc://a.org/\(id)a") == nil)
    }

    @Test(arguments: ["https://hs.example", "https://hs.example/", "https://hs.example//"])
    func `the files of all servers are requested from the configured homeserver`(homeserver: String) throws {
        #expect(
            try Self.urls(of: "mxc://example.org:8448/AbC", MediaURLResolver(homeserver: homeserver)) == [
                "https://hs.example/_matrix/client/v1/media/download/example.org:8448/AbC",
                "https://hs.example/_matrix/media/v3/download/example.org:8448/AbC",
                "https://hs.example/_api/media/r0/download/example.org:8448/AbC",
            ])
    }

    @Test func `a file is requested from the server in its reference if no homeserver is configured`() throws {
        #expect(
            try Self.urls(of: "mxc://[::1]:8448/AbC", MediaURLResolver()) == [
                "https://[::1]:8448/_matrix/client/v1/media/download/[::1]:8448/AbC",
                "https://[::1]:8448/_matrix/media/v3/download/[::1]:8448/AbC",
                "https://[::1]:8448/_api/media/r0/download/[::1]:8448/AbC",
            ])
    }

    private static func urls(
        of reference: String, _ resolver: MediaURLResolver, at date: Date = .distantFuture
    ) throws -> [String] {
        try resolver.locations(of: MediaReference(url: reference), dialect: "matrix", at: date).get()
    }

    @Test func `the path that has answered is tried first for an hour, on its homeserver only`() throws {
        let resolver = MediaURLResolver(matrixPaths: MatrixMediaPaths(["a", "b", "_c"]))
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        func paths(_ server: String, after seconds: Double) throws -> [String] {
            let urls = try Self.urls(of: "mxc://\(server)/x", resolver, at: now.addingTimeInterval(seconds))
            return urls.map { String($0.dropFirst("https://\(server)/".count).prefix { $0 != "/" }) }
        }
        resolver.keepPath(
            of: "https://one.example/_c/download/one.example/y", for: .init(url: "mxc://one.example/y"), at: now)
        #expect(try paths("one.example", after: 3_599) == ["_c", "_matrix", "_matrix"])
        #expect(try paths("one.example", after: 3_601) == ["_matrix", "_matrix", "_c"])
        #expect(try paths("two.example", after: 0) == ["_matrix", "_matrix", "_c"])
        // A URL of another server or path is not kept.
        resolver.keepPath(
            of: "https://evil.example/_c/download/two.example/y", for: .init(url: "mxc://two.example/y"), at: now)
        #expect(try paths("two.example", after: 0) == ["_matrix", "_matrix", "_c"])
    }

    @Test func `the paths of a bounded number of homeservers are kept`() throws {
        let paths = MatrixMediaPaths(["a", "b"])
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        for number in 0..<5_000 {
            paths.keep("b", of: "https://\(number)", at: now.addingTimeInterval(Double(number) / 10))
        }
        let kept = (0..<5_000).count { paths.ordered(for: "https://\($0)", at: now) == ["b", "a"] }
        #expect(kept <= 1_024 && kept >= 700, "\(kept)")
        #expect(paths.ordered(for: "https://4999", at: now) == ["b", "a"])
    }
}
