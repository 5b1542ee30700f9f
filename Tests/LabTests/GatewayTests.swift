import FoundationEssentials
import HTTPCaching
import HTTPTypes
import Lab
import NotificationModel
import Testing

/// Tests of the gateway in front of the cache, with responses from a closure.
@Suite(.timeLimit(.minutes(1)))
struct GatewayTests {
    private static let empty = OriginResponse(head: ResponseHead(status: 200), status: .miss)

    // MARK: Requests of the clients

    @Test func `a request is forwarded unchanged, except the headers of its connection`() async throws {
        let asked = AskedRequests()
        try await ScriptedGateway {
            asked.note($0)
            return .success(Self.empty)
        }.run { port in
            try await RawConnection.open(to: port) { connection in
                try await connection.send(
                    """
                    PUT /a/b?c=d HTTP/1.1\r\nHost: lab\r\nConnection: keep-alive, X-Mine\r\nX-Mine: 1\r\n\
                    TE: trailers\r\nFoo: 1\r\nBar: 2\r\nfoo: 3\r\nTransfer-Encoding: chunked\r\n\r\n\
                    3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n
                    """)
                #expect(try await connection.readHead().status == 200)
            }
        }
        let request = try #require(asked.all.first)
        #expect(request.method == .put)
        #expect(request.url == "http://origin.example/a/b?c=d")
        #expect(request.fields.map { "\($0.name.rawName): \($0.value)" } == ["Foo: 1", "Bar: 2", "foo: 3"])
        #expect(request.body == Array("abcde".utf8))
    }

    @Test(arguments: [
        ("GET", "http://other.example/x", "http://other.example/x"),
        ("DELETE", "https://other.example/x#part", "https://other.example/x"),
        ("M-SEARCH", "/", "http://origin.example/"), ("REPORT", "/a", "http://origin.example/a"),
    ])
    func `the gateway forwards requests of any method`(_ method: String, _ target: String, _ url: String) async throws {
        let asked = AskedRequests()
        try await ScriptedGateway {
            asked.note($0)
            return .success(Self.empty)
        }.run { port in
            let exchange = try await Exchange.send("\(method) \(target)", to: port)
            #expect(exchange.head.status == 200)
        }
        #expect(asked.all.map(\.url) == [url])
        #expect(asked.all.first?.method.rawValue == method)
    }

    @Test(arguments: ["OPTIONS *", "GET ftp://other.example/x", "CONNECT other.example:443"])
    func `a request without a valid target is refused with 400`(_ request: String) async throws {
        let asked = AskedRequests()
        try await ScriptedGateway {
            asked.note($0)
            return .success(Self.empty)
        }.run { port in
            let exchange = try await Exchange.send(request, to: port)
            #expect(exchange.head.status == 400)
        }
        #expect(asked.all.isEmpty)
    }

    @Test func `a body that is too long is refused with 413 and not forwarded`() async throws {
        let asked = AskedRequests()
        try await ScriptedGateway {
            asked.note($0)
            return .success(Self.empty)
        }.run { port in
            try await RawConnection.open(to: port) { connection in
                let count = CachingGateway.largestBody + 1
                try await connection.send("POST / HTTP/1.1\r\nHost: lab\r\nContent-Length: \(count)\r\n\r\n")
                try await connection.send(String(repeating: "x", count: count))
                #expect(try await connection.readHead().status == 413)
            }
        }
        #expect(asked.all.isEmpty)
    }

    // MARK: Responses of the gateway

    @Test func `the gateway replaces the Content-Length of a response by the length of its body`()
        async throws
    {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let body = try directory.body("the body")
        var fields: HTTPFields = [.contentType: "text/plain", .contentLength: "99"]
        fields.append(HTTPField(name: .setCookie, value: "a=1"))
        fields.append(HTTPField(name: .setCookie, value: "b=2"))
        let answer = OriginResponse(head: ResponseHead(status: 203, fields: fields), body: body, status: .hit)
        try await ScriptedGateway { _ in .success(answer) }.run { port in
            try await RawConnection.open(to: port) { connection in
                for _ in 0..<2 {
                    try await connection.get("/")
                    let head = try await connection.readHead()
                    #expect(head.status == 203)
                    #expect(head.values("set-cookie") == ["a=1", "b=2"])
                    #expect(head.values("content-type") == ["text/plain"])
                    #expect(head.values("content-length") == ["8"])
                    #expect(try await connection.read(8) == Array("the body".utf8))
                }
            }
        }
    }

    @Test(
        arguments: [
            (CacheStatus.hit, "GET", "1", "appgroupd; hit"), (.stale, "GET", "1", "appgroupd; hit; detail=stale"),
            (.revalidated, "GET", "1", "appgroupd; fwd=stale; fwd-status=304"),
            (.miss, "GET", "1", "appgroupd; fwd=miss; stored"), (.miss, "GET", nil, "appgroupd; fwd=miss"),
            (.miss, "HEAD", nil, "appgroupd; fwd=miss"), (.miss, "POST", nil, "appgroupd; fwd=method"),
            (.coalesced, "GET", nil, "appgroupd; fwd=miss; collapsed"),
        ] as [(CacheStatus, String, String?, String)])
    func `a response reports the action of the cache`(
        _ status: CacheStatus, _ method: String, _ id: String?, _ field: String
    ) async throws {
        let answer = OriginResponse(head: ResponseHead(status: 200), status: status, id: id)
        try await ScriptedGateway { _ in .success(answer) }.run { port in
            let exchange = try await Exchange.send("\(method) /", to: port)
            #expect(exchange.head.values("cache-status") == [field])
        }
    }

    @Test func `a response lists the Cache-Status of other caches before the status of this cache`() async throws {
        var head = ResponseHead(status: 200)
        if let name = HTTPField.Name("Cache-Status") { head.fields[name] = "edge; hit" }
        let answer = OriginResponse(head: head, status: .hit)
        try await ScriptedGateway { _ in .success(answer) }.run { port in
            let values = try await Exchange.send("GET /", to: port).head.values("cache-status")
            #expect(values == ["edge; hit", "appgroupd; hit"])
        }
    }

    @Test(arguments: [("HEAD", 200, ["99"]), ("GET", 304, []), ("GET", 204, [])] as [(String, Int, [String])])
    func `a response without a body has no bytes`(_ method: String, _ status: Int, _ length: [String]) async throws {
        let head = ResponseHead(status: status, fields: [.contentLength: "99"])
        let answer = OriginResponse(head: head, status: .hit)
        try await ScriptedGateway { _ in .success(answer) }.run { port in
            let exchange = try await Exchange.send("\(method) /", to: port)
            #expect(exchange.head.status == status)
            #expect(exchange.head.values("content-length") == length)
            #expect(exchange.body.isEmpty)
        }
    }

    @Test func `an incomplete body ends the connection`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let head = ResponseHead(status: 200, fields: [.contentLength: "99"])
        let answer = OriginResponse(
            head: head, body: try directory.body("half"), failure: MediaFailure(.truncated, "half"),
            status: .miss)
        try await ScriptedGateway { _ in .success(answer) }.run { port in
            try await RawConnection.open(to: port) { connection in
                try await connection.get("/")
                #expect(try await connection.readHead().values("content-length") == ["99"])
                #expect(try await connection.readToEnd().bytes == Array("half".utf8))
            }
        }
    }

    @Test(
        arguments: [
            (.connectFailed, 502), (.forbiddenAddress, 502), (.budgetExceeded, 504),
        ] as [(DegradationReason, Int)])
    func `the error response describes the failure`(_ reason: DegradationReason, _ status: Int) async throws {
        try await ScriptedGateway { _ in .failure(MediaFailure(reason, "it cannot be asked")) }.run { port in
            let exchange = try await Exchange.send("GET /", to: port)
            #expect(exchange.head.status == status)
            #expect(exchange.head.values("cache-status") == ["appgroupd; fwd=miss; detail=\(reason.rawValue)"])
            #expect(exchange.text == "it cannot be asked\n")
        }
    }

    // MARK: The end of the gateway

    @Test func `stopping the gateway cancels its open requests`() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (ended, end) = AsyncStream.makeStream(of: Bool.self)
        try await ScriptedGateway { _ in
            begin.yield()
            await Self.untilCancelled()
            end.yield(Task.isCancelled)
            return .failure(.cancelled)
        }.run { port in
            try await RawConnection.open(to: port) { connection in
                try await connection.get("/")
                #expect(await begun.first { _ in true } != nil)
            }
        }
        #expect(await ended.first { _ in true } == true)
    }

    @Test func `the error of a port in use names the port`() async throws {
        try await ScriptedGateway { _ in .success(Self.empty) }.run { port in
            let second = CachingGateway(port: port, upstream: nil) { _ in .success(Self.empty) }
            let error = await #expect(throws: OriginStartError.self) { try await second.run() }
            #expect(
                error?.description.hasPrefix("cannot listen on 127.0.0.1, port \(port), where another program listens")
                    == true)
        }
    }

    private static func untilCancelled() async {
        let (never, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        continuation.finish()
    }
}

extension Exchange {
    /// Sends one request, such as `GET /path`, on a separate connection.
    fileprivate static func send(_ request: String, to port: Int) async throws -> Exchange {
        try await RawConnection.open(to: port) { connection in
            try await connection.send("\(request) HTTP/1.1\r\nHost: lab\r\nConnection: close\r\n\r\n")
            let head = try await connection.readHead()
            let (body, end) = try await connection.readToEnd()
            return Exchange(head: head, body: body, end: end)
        }
    }
}

extension OriginResponse {
    /// Creates a response whose times have no effect.
    fileprivate init(
        head: ResponseHead, body: ResponseBody = .empty, failure: MediaFailure? = nil, status: CacheStatus,
        id: String? = nil
    ) {
        self.init(
            head: head, body: body, failure: failure, requestTime: .distantPast, responseTime: .distantPast,
            status: status, id: id)
    }
}
