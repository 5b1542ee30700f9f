import Lab
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RefusalTests {
    /// A request that is refused, with a name that fits on a line.
    struct Refused: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var request: String
        var status: Int
        var reason: String

        init(_ name: String, _ request: String, _ status: Int, _ reason: String) {
            (testDescription, self.request, self.status, self.reason) = (name, request, status, reason)
        }
    }

    private static let close = "Connection: close\r\n\r\n"

    @Test(arguments: [
        Refused("no duration", "GET /delay/soon/a HTTP/1.1\r\n\(close)", 400, "/delay/ does not take `soon`"),
        Refused("no escape", "GET /../a HTTP/1.1\r\n\(close)", 400, "names nothing inside the served directory"),
        Refused("no markup", "GET /<b>%zz HTTP/1.1\r\n\(close)", 400, "`&lt;b&gt;%zz`"),
        Refused("POST", "POST /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", 405, "GET and HEAD only"),
        Refused("DELETE", "DELETE /a HTTP/1.1\r\n\(close)", 405, "GET and HEAD only"),
        Refused("a body", "GET /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", 413, "no body"),
        Refused("chunks", "GET /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 413, "no body"),
        Refused("no HTTP", "nonsense\r\n\r\n", 400, "This is not an HTTP request"),
        Refused("a long path", "GET /\(String(repeating: "a", count: 16_400)) HTTP/1.1\r\n\r\n", 431, "16 KiB"),
        Refused(
            "long fields",
            "GET / HTTP/1.1\r\n\(String(repeating: "a: \(String(repeating: "b", count: 1000))\r\n", count: 17))\r\n",
            431, "16 KiB"),
        Refused(
            "many fields", "GET / HTTP/1.1\r\n\(String(repeating: "a: b\r\n", count: 101))\r\n", 431, "100 fields"),
    ])
    func `the response to a refused request has the reason, and the connection closes`(refused: Refused) async throws {
        try await withMediaOrigin { origin in
            try await RawConnection.open(to: origin.port) { connection in
                try await connection.send(refused.request)
                let head = try await connection.readHead()
                #expect(head.status == refused.status)
                #expect(head["content-type"] == "text/html; charset=utf-8")
                let (body, end) = try await connection.readToEnd()
                #expect(String(decoding: body, as: UTF8.self).contains(refused.reason))
                #expect(end == .closed)
            }
            #expect(origin.counts.requestsRefused == 1)
            #expect(origin.counts.responsesFinished == 1)
        }
    }

    @Test func `a head of nearly 16 KiB is accepted`() async throws {
        try await withMediaOrigin { origin in
            let fields = "Cookie: \(String(repeating: "a", count: 16_000))\r\n"
            let reply = try await Exchange.get("/photo.jpg", from: origin, fields: fields)
            #expect(reply.head.status == 200)
        }
    }

    @Test func `a refused method leaves the connection open`() async throws {
        try await withMediaOrigin { origin in
            try await RawConnection.open(to: origin.port) { connection in
                try await connection.send("OPTIONS /photo.jpg HTTP/1.1\r\nHost: lab\r\n\r\n")
                let head = try await connection.readHead()
                #expect(head["allow"] == "GET, HEAD")
                _ = try await connection.read(try #require(head["content-length"].flatMap { Int($0) }))
                try await connection.get("/photo.jpg")
                #expect(try await connection.readHead().status == 200)
            }
        }
    }

    @Test func `paths beyond the limit are counted together`() async throws {
        try await withMediaOrigin { origin in
            try await RawConnection.open(to: origin.port) { connection in
                let requests = (0..<(OriginCounts.maxPaths + 10)).map { "HEAD /\($0) HTTP/1.1\r\n\r\n" }
                try await connection.send(requests.joined())
                for _ in requests { _ = try await connection.readHead() }
            }
            #expect(origin.counts.hitsByPath.count == OriginCounts.maxPaths)
            #expect(origin.counts.elsewhere == 10)
        }
    }
}
