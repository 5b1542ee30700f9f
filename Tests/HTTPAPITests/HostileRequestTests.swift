import Base
import NotificationModel
import Testing

@testable import HTTPAPI

@Suite(.timeLimit(.minutes(1)))
struct HostileRequestTests {
    /// The bytes on a connection, and the beginning of their response.
    struct Hostile: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: String
        var status: Int
        var contains: String

        init(_ name: String, _ bytes: String, _ status: Int, _ contains: String = "") {
            (testDescription, self.bytes, self.status, self.contains) = (name, bytes, status, contains)
        }
    }

    private static func post(_ body: String, _ fields: String = "", _ target: String = "/v1/notifications") -> String {
        "POST \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(fields)"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func line(_ line: String, _ fields: String = "Host: localhost\r\n") -> String {
        "\(line) HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n"
    }

    @Test(arguments: [
        Hostile("no JSON", post("hello"), 400, "not-json"),
        Hostile("half a JSON", post("{"), 400, "not-json"),
        Hostile("an empty body", post(""), 400, "there is no JSON value"),
        Hostile("an array", post("[{}]"), 400, "it is an array: send each element in its own request."),
        Hostile("two objects", post("{}{}"), 400, "text after"),
        Hostile("deep nesting", post(String(repeating: "{\"a\":", count: 200_000)), 400, "not-json"),
        Hostile("bytes that are no UTF-8", post("{\"a\":\"\u{0}\"}"), 400, "not-json"),
        Hostile("bzip2", post("BZh91AY"), 415, "Accept-Encoding: identity"),
        Hostile("bzip2 for another route", post("BZh91AY", "", "/v1/cache/purge"), 415, "\"encoding\":\"bzip2\""),
        Hostile("a named coding", post("\u{1B}\u{3}", "Content-Encoding: br\r\n"), 415, "\"encoding\":\"br\""),
        Hostile("an unknown coding", post("hello", "Content-Encoding: utf-8\r\n"), 400, "not-json"),
        Hostile("the coding identity", post("hello", "Content-Encoding: identity\r\n"), 400, "not-json"),
        Hostile(
            "a named coding of lines", post("{}", "Content-Encoding: gzip\r\n", "/v1/notifications:batch"), 415,
            "\"encoding\":\"gzip\""),
        Hostile("an unknown parameter", post("{}", "", "/v1/notifications?grup=a"), 400, "\"parameter\":\"grup\""),
        Hostile("a parameter twice", post("{}", "", "/v1/notifications?group=a&group=b"), 400, "2 times"),
        Hostile("no group's name", post("{}", "", "/v1/notifications?group=../etc"), 400, "\"parameter\":\"group\""),
        Hostile("no key", post("{}", "Idempotency-Key: ../x\r\n"), 400, "Idempotency-Key"),
        Hostile("two keys", post("{}", "Idempotency-Key: a\r\nIdempotency-Key: b\r\n"), 400, "Idempotency-Key"),
        Hostile("a negative timeout", post("{}", "Request-Timeout: -1\r\n"), 400, "Request-Timeout"),
        Hostile("a timeout of hours", post("{}", "Request-Timeout: 3601\r\n"), 400, "Request-Timeout"),
        Hostile("an endless timeout", post("{}", "Request-Timeout: inf\r\n"), 400, "Request-Timeout"),
        Hostile("a slash in the id", line("GET /v1/notifications/a%2Fb"), 400, "The id in the path"),
        Hostile("dots in the path", line("GET /v1/notifications/../../etc/passwd"), 404),
        Hostile("encoded dots", line("GET /v1/notifications/%2e%2e"), 400, "The id in the path"),
        Hostile("an encoded NUL", line("GET /v1/notifications/a%00"), 400, "The id in the path"),
        Hostile("a NUL", line("GET /v1/notifications/a\u{0}b"), 400),
        Hostile("half an escape", line("GET /v1/notifications/a%2"), 400, "percent"),
        Hostile("no UTF-8", line("GET /v1/notifications/%ff"), 400, "UTF-8"),
        Hostile("another way of cancelling", line("DELETE /v1/notifications/a?by=name"), 400, "\"parameter\":\"by\""),
        Hostile("an unknown path", line("GET /admin"), 404, "not-found"),
        Hostile("a slash too many", line("GET /v1/notifications/"), 404, "not-found"),
        Hostile(
            "a long Last-Event-ID", line("GET /v1/events", "Host: localhost\r\nLast-Event-ID: \(long(300))\r\n"), 400),
        Hostile("no Host", line("GET /healthz", ""), 400, "Host"),
        Hostile("two Hosts", line("GET /healthz", "Host: localhost\r\nHost: evil.example\r\n"), 400, "Host"),
        Hostile("a rebound name", line("GET /healthz", "Host: evil.example:80\r\n"), 421, "wrong-host"),
        Hostile("a page's post", line("GET /healthz", "Host: localhost\r\nOrigin: https://evil.example\r\n"), 403),
        Hostile(
            "a page of another site", line("GET /healthz", "Host: localhost\r\nSec-Fetch-Site: cross-site\r\n"), 403,
            "Sec-Fetch-Site"),
        Hostile(
            "a page of the same site", line("GET /healthz", "Host: localhost\r\nSec-Fetch-Site: same-site\r\n"), 403),
        Hostile("a page without an origin", line("GET /healthz", "Host: localhost\r\nOrigin: null\r\n"), 403),
        Hostile("a port past the last", line("GET /healthz", "Host: localhost:65536\r\n"), 400, "65535"),
        Hostile("an absolute target of another host", line("GET http://evil.example/healthz"), 421, "wrong-host"),
        Hostile("an absolute target without Host", line("GET http://localhost/healthz", ""), 400, "Host"),
        Hostile(
            "an absolute target beside two Hosts",
            line("GET http://localhost/healthz", "Host: localhost\r\nHost: localhost\r\n"), 400, "Host"),
        Hostile("an absolute target with a port past the last", line("GET http://localhost:65536/healthz"), 400),
        Hostile("an absolute target with a user", line("GET http://me@localhost/healthz"), 400, "no user"),
        Hostile("an absolute target without a host", line("GET http:///healthz"), 400),
        Hostile("an absolute target with another scheme", line("GET https://localhost/healthz"), 400, "http URL"),
        Hostile("no path", line("OPTIONS *"), 400, "slash"),
        Hostile("a proxy's call", line("CONNECT evil.example:443"), 400),
        Hostile("no HTTP", "nonsense\r\n\r\n", 400),
        Hostile("a long field", line("GET /healthz", "Host: localhost\r\nX: \(long(9_000))\r\n"), 400),
        Hostile("a long path", line("GET /\(long(20_000))"), 400),
        Hostile("many fields", line("GET /healthz", String(repeating: "Host: localhost\r\n", count: 120)), 400),
        Hostile(
            "two lengths",
            "POST /v1/notifications HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
            400),
        Hostile(
            "a length beside chunks",
            "POST /v1/notifications HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            400),
        Hostile("gzip and chunks", coded("Transfer-Encoding: gzip, chunked"), 400, "Transfer-Encoding"),
        Hostile("identity and chunks", coded("Transfer-Encoding: identity, chunked"), 400, "Transfer-Encoding"),
        Hostile("chunks twice", coded("Transfer-Encoding: chunked, chunked"), 400),
        Hostile(
            "codings in two fields", coded("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked"), 400,
            "Transfer-Encoding"),
        Hostile("a coding with a parameter", coded("Transfer-Encoding: x;q=1, chunked"), 400),
        Hostile(
            "bad chunks",
            "POST /v1/notifications HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
            400
        ),
    ])
    func `an invalid request is refused, and the server continues`(hostile: Hostile) async throws {
        try await ServerBench.run { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try? await connection.send(hostile.bytes)
                let answer = await connection.readToEnd()
                #expect(answer.hasPrefix("HTTP/1.1 \(hostile.status) "), "\(answer.prefix(400))")
                #expect(answer.contains(hostile.contains), "\(answer.prefix(800))")
            }
            #expect(bench.coordinator.submissions.isEmpty)
            let next = try await bench.send("GET", "/healthz").status
            #expect(next == 200)
        }
    }

    private static func coded(_ fields: String) -> String {
        "POST /v1/notifications HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
    }

    @Test(arguments: ["none", "same-origin"])
    func `a call that a person or a page of this server makes is admitted`(site: String) async throws {
        try await ServerBench.run { bench in
            let status = try await bench.send("GET", "/healthz", ["Sec-Fetch-Site: \(site)"]).status
            #expect(status == 200)
        }
    }

    @Test(arguments: ["chunked", "Chunked", " chunked\t"])
    func `a body in chunks without another coding is read`(coding: String) {
        #expect(TransferCoding.isChunkedAlone(coding))
    }

    private static func long(_ count: Int) -> String { String(repeating: "a", count: count) }

    @Test(arguments: [
        ("PUT", "/v1/notifications", "POST, GET, HEAD, DELETE"), ("GET", "/v1/warm", "POST"),
        ("POST", "/v1/notifications/a", "GET, HEAD, DELETE"), ("POST", "/v1/events", "GET, HEAD"),
        ("DELETE", "/healthz", "GET, HEAD"), ("PATCH", "/v1/status", "GET, HEAD"),
    ])
    func `a 405 response lists the permitted methods`(method: String, path: String, allowed: String) async throws {
        try await ServerBench.run { bench in
            let answer = try await bench.send(method, path)
            #expect(answer.status == 405)
            #expect(answer["allow"] == allowed)
        }
    }

    @Test func `a body whose declared length is too large is refused before it is sent`() async throws {
        try await ServerBench.run { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send(
                    "POST /v1/notifications HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
                        + "Content-Length: 4194305\r\n\r\n")
                let answer = try await connection.readAnswer()
                #expect(answer.status == 413)
                #expect(answer["connection"] == "close")
                #expect(answer.json?["most"]?.integer == 4 << 20)
            }
        }
    }

    @Test(arguments: [true, false])
    func `a client that sends a body over the limit can still read the response`(isChunked: Bool) async throws {
        var settings = HTTPServerSettings()
        settings.maxBodyBytes = 1_000
        try await ServerBench.run(settings) { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 6000000"
                try await connection.send("POST /v1/notifications HTTP/1.1\r\nHost: localhost\r\n\(framing)\r\n\r\n")
                let piece = Self.long(60_000)
                for _ in 0..<100 {
                    try await connection.send(isChunked ? "EA60\r\n\(piece)\r\n" : piece)
                }
                if isChunked { try await connection.send("0\r\n\r\n") }
                let answer = await connection.readToEnd()
                #expect(answer.hasPrefix("HTTP/1.1 413 "))
            }
        }
    }

    @Test func `a body whose length equals the limit is accepted`() async throws {
        var settings = HTTPServerSettings()
        settings.maxBodyBytes = 1_000
        try await ServerBench.run(settings) { bench in
            let body = "{\"a\":\"\(Self.long(992))\"}"
            let answer = try await bench.send("POST", "/v1/notifications", ["Prefer: respond-async"], body: body)
            #expect(answer.status == 202)
        }
    }

    @Test func `a client that expects 100-continue gets a 100 response`() async throws {
        try await ServerBench.run { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send(
                    "POST /v1/notifications HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
                        + "Prefer: respond-async\r\nContent-Length: 2\r\n\r\n")
                let interim = try await connection.readAnswer().status
                #expect(interim == 100)
                try await connection.send("{}")
                let posted = try await connection.readAnswer().status
                #expect(posted == 202)
                try await connection.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                let next = try await connection.readAnswer().status
                #expect(next == 200)
            }
        }
    }

    @Test func `pipelined requests are answered in their order`() async throws {
        try await ServerBench.run { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                let post =
                    "POST /v1/notifications HTTP/1.1\r\nHost: localhost\r\nPrefer: respond-async\r\n"
                    + "Content-Length: 2\r\n\r\n{}"
                let get = "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                try await connection.send(post + get + post + get)
                for status in [202, 200, 202, 200] {
                    let got = try await connection.readAnswer().status
                    #expect(got == status)
                }
            }
        }
    }

    @Test func `a request over HTTP 1.0 is answered, and its connection is closed`() async throws {
        try await ServerBench.run { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send("GET /healthz HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n")
                let answer = await connection.readToEnd()
                #expect(answer.contains(" 200 OK"))
                #expect(answer.lowercased().contains("connection: close\r\n"))
                #expect(answer.hasSuffix("ok\n"))
            }
        }
    }

    @Test(arguments: [
        "", "GET /healthz HTTP/1.1\r\nHost: loc",
        "POST /v1/notifications HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{",
    ])
    func `the connection of a client that stops in the middle of a request is closed`(beginning: String) async throws {
        var settings = HTTPServerSettings()
        settings.idleLimit = .milliseconds(50)
        try await ServerBench.run(settings) { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                if !beginning.isEmpty { try await connection.send(beginning) }
                #expect(await connection.readToEnd() == "")
            }
        }
    }

    @Test func `the connection of a slow body is closed although it is not idle`() async throws {
        var settings = HTTPServerSettings()
        settings.idleLimit = .seconds(3_600)
        settings.bodyLimit = .milliseconds(50)
        try await ServerBench.run(settings) { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send(
                    "POST /v1/notifications HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
                #expect(await connection.readToEnd() == "")
            }
        }
    }

    @Test func `the connection of a client that reads nothing is closed`() async throws {
        var settings = HTTPServerSettings()
        // With any longer limit, a client on a busy machine may be fast enough to read the whole response.
        settings.writeLimit = .zero
        let size = 64 << 20
        try await ServerBench.run(settings, metrics: String(repeating: "a", count: size)) { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(await connection.readToEnd().utf8.count < size)
            }
        }
    }
}
