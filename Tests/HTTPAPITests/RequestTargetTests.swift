import NIOHTTP1
import Testing

@testable import HTTPAPI

struct RequestTargetTests {
    @Test func `a target is split into path and query before it is decoded`() throws {
        var target = try RequestTarget("/a%2Fb/c%20d/?x=1%262&y&z=a=b&&+=%2B")
        try target.readParameters(known: ["x", "y", "z", "+"])
        #expect(target.segments == ["a/b", "c d", ""])
        #expect(target.parameters.map(\.name) == ["x", "y", "z", "+"])
        #expect(target.parameters.map(\.value) == ["1&2", "", "a=b", "+"])
    }

    @Test(arguments: ["", "*", "a", "http://a/", "/%", "/%4", "/%zz", "/%C3", "/%\u{FF14}1"])
    func `an invalid target is refused`(target: String) {
        #expect(throws: Problem.self) { _ = try RequestTarget(target) }
    }

    @Test(arguments: ["/?a=%ff", "/?%", "/?a=%4", "/?b"])
    func `a malformed query or an unknown parameter is refused`(text: String) throws {
        var target = try RequestTarget(text)
        #expect(throws: Problem.self) { try target.readParameters(known: ["a"]) }
    }

    @Test(arguments: [
        ("http://a/b?c=d", "a", "/b?c=d"), ("HTTP://A.Example:80", "A.Example:80", "/"),
        ("http://[::1]:1?x", "[::1]:1", "/?x"),
        ("http://a:/b", "a:", "/b"), ("http://a/http://b@c:99999/", "a", "/http://b@c:99999/"),
    ])
    func `an absolute target is split into authority and path`(target: String, authority: String, originForm: String) {
        let parts = AbsoluteTarget(target, isSecure: false)
        #expect(parts?.authority == authority)
        #expect(parts?.originForm == originForm)
    }

    @Test(arguments: [
        "", "/", "*", "a:1", "http:", "http:/a", "http://", "http:///a", "http://:80/", "http://a:65536/",
        "http://a:b/",
        "http://u@a/", "http://u:p@a/", "https://a/", "ftp://a/", "//a/",
    ])
    func `a target is absolute only if it is an http URL with a host`(target: String) {
        #expect(AbsoluteTarget(target, isSecure: false) == nil)
    }

    @Test func `an absolute target takes precedence over Host`() {
        var head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "http://localhost:8480/x?y", headers: ["Host": "a"])
        head.resolveTarget(isSecure: false)
        #expect(head.uri == "/x?y")
        #expect(head.headers["host"] == ["localhost:8480"])
    }

    @Test(arguments: ["localhost", "evil.example"])
    func `a request with an absolute target is answered by the target's host`(host: String) async throws {
        try await ServerBench.run { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send(
                    "GET http://LocalHost:\(bench.port)/healthz HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
                let answer = await connection.readToEnd()
                #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
            }
        }
    }
}
