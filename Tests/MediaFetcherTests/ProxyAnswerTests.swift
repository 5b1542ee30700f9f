import Base
import Foundation
import Lab
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

/// The tests of proxies that refuse, stall or send wrong responses.
@Suite(.timeLimit(.minutes(2))) struct ProxyAnswerTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        var status: String
        var fields: [String] = []
        var credentials: String?
        var resolvesNames = false
        var remedy: String
        var requests = 1

        var testDescription: String { "\(status) \(fields) \(credentials ?? "") \(resolvesNames)" }
    }

    static let host = "one.hosts.test"

    /// Runs `body` with a fetcher whose proxy gives these answers.
    static func with(
        _ answers: [[UInt8]], hangsUp: Bool = true, credentials: String? = nil, resolvesNames: Bool = false,
        limits: FetchLimits = FetchLimits(), observer: @escaping @Sendable (FetchEvent) -> Void = { _ in },
        _ body: (OriginFixture, ScriptedOrigin) async throws -> Void
    ) async throws {
        let proxy = try ScriptedOrigin(answers, hangsUp: hangsUp)
        defer { proxy.stop() }
        var policy = FetchPolicy()
        policy.proxy = EgressProxy(
            ProxyEndpoint(host: "127.0.0.1", port: proxy.port, credentials: credentials),
            resolvesNames: resolvesNames)
        let names = LoopbackNames([host: [[LoopbackAddress(0, 0, 1)]]])
        try await OriginFixture.with(limits: limits, policy: policy, resolver: names, observer: observer) { fixture in
            try await body(fixture, proxy)
            #expect(fixture.origin.counts.connectionsAccepted == 0)
        }
    }

    private static let basic = "Proxy-Authenticate: Basic realm=\"x\""
    private static let refusals = [
        Refusal(
            status: "403 Forbidden",
            remedy: """
                permit one.hosts.test:80 at 127.0.0.1 in the proxy, as proxies often permit CONNECT to port 443 alone; \
                for a proxy that permits names, set fetch.proxyResolves: true
                """
        ),
        Refusal(status: "403 Forbidden", resolvesNames: true, remedy: "permit one.hosts.test:80 in the proxy"),
        Refusal(
            status: "407 Proxy Authentication Required", fields: [basic],
            remedy: "write USER:PASSWORD into a file, and name the file in fetch.proxyCredentials"),
        Refusal(
            status: "407 Proxy Authentication Required", fields: ["Proxy-Authenticate: Negotiate", basic],
            credentials: "user:s3cr3t", remedy: "it does not accept the user and the password in fetch.proxyCredentials"
        ),
        Refusal(
            status: "407 Proxy Authentication Required", fields: ["proxy-authenticate: NTLM"],
            credentials: "user:s3cr3t", remedy: "it accepts no Basic authentication, and appgroupd has no other"),
        Refusal(
            status: "401 Unauthorized", credentials: "user:s3cr3t",
            remedy: "it does not accept the user and the password in fetch.proxyCredentials"),
        Refusal(status: "407 x", fields: ["Transfer-Encoding: chunked"], remedy: "write USER:PASSWORD into a file"),
        Refusal(status: "302 Found", fields: ["Location: /login"], remedy: "a proxy must open a tunnel or refuse it"),
        Refusal(status: "100 Continue", remedy: "a proxy must open a tunnel or refuse it"),
        Refusal(status: "503 x", remedy: "the proxy does not reach one.hosts.test:80 at 127.0.0.1", requests: 3),
        Refusal(status: "502 x", fields: ["Retry-After: 100"], remedy: "the proxy does not reach", requests: 3),
        Refusal(status: "501 x", remedy: "the proxy does not reach"),
    ]

    @Test(arguments: refusals)
    func `a refusal names the proxy, the status and the remedy, and its body is not read`(_ refusal: Refusal)
        async throws
    {
        // The body is a chunk that never ends.
        let body = [UInt8]("FFFFFF\r\n".utf8) + [UInt8](repeating: 0, count: 100_000)
        let answer = ScriptedOrigin.answer(refusal.status, refusal.fields, body)
        try await Self.with(
            [answer], hangsUp: false, credentials: refusal.credentials, resolvesNames: refusal.resolvesNames
        ) { fixture, proxy in
            let result = try await fixture.fetch(url: "http://\(Self.host)/photo-small.jpg")
            #expect(result.reason == .connectFailed)
            let detail = try #require(result.detail)
            let status = refusal.status.prefix(3)
            let start = "the proxy 127.0.0.1:\(proxy.port) (fetch.proxy) answered \(status) to CONNECT: "
            #expect(detail.hasPrefix(start + refusal.remedy), "\(detail)")
            #expect(!detail.contains("s3cr3t"))
            #expect(proxy.requests.count == refusal.requests)
        }
    }

    struct Lie: Sendable, CustomTestStringConvertible {
        var name: String
        var answer: [UInt8]
        var isSecure = false
        var reason: DegradationReason
        var detail = ""
        var testDescription: String { "\(name), https \(isSecure)" }

        static func text(
            _ name: String, _ text: String, https isSecure: Bool = false, _ reason: DegradationReason,
            _ detail: String = ""
        ) -> Lie {
            Lie(name: name, answer: Array(text.utf8), isSecure: isSecure, reason: reason, detail: detail)
        }
    }

    private static let opened = "HTTP/1.1 200 OK\r\n\r\n"
    private static let unreadable = "(fetch.proxy) does not answer in HTTP/1.1"
    private static let lies: [Lie] = [
        .text("200 and the end", opened, .connectionLost),
        .text("200 and the end", opened, https: true, .tlsFailed),
        .text("200 and another protocol", opened + "SSH-2.0-OpenSSH_9.2\r\n", .connectionLost),
        .text("200 and another protocol", opened + "SSH-2.0-OpenSSH_9.2\r\n", https: true, .tlsFailed),
        .text(
            "200 with a length and a body", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", .connectionLost),
        .text(
            "200 with a length and a body", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", https: true,
            .tlsFailed),
        .text(
            "HTTP/1.0 and broken chunks", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n\r\n",
            .connectionLost),
        .text("another protocol", "SSH-2.0-OpenSSH_9.2\r\n\r\n", .connectFailed, unreadable),
        .text("HTTP/2", "HTTP/2 200\r\n\r\n", .connectFailed, unreadable),
        .text("a status of two digits", "HTTP/1.1 20 OK\r\n\r\n", .connectFailed),
        .text("an empty line", "\r\n", .connectFailed),
        .text("the end", "", .connectFailed, "cannot be used"),
        .text("half a head", "HTTP/1.1 200 OK\r\nX: y", .connectFailed, "cannot be used"),
        .text(
            "endless headers", "HTTP/1.1 200 OK\r\n" + String(repeating: "X-Header: value\r\n", count: 200_000),
            .connectFailed, "sends more than 16384 bytes of headers"),
        .text("an endless line", "HTTP/1.1 200 " + String(repeating: "O", count: 1_000_000), .connectFailed),
    ]

    @Test(arguments: lies)
    func `a transfer with a wrong response of the proxy fails with a detail that names the proxy`(_ lie: Lie)
        async throws
    {
        var limits = FetchLimits()
        limits.connect = .seconds(60)
        try await Self.with([lie.answer], limits: limits) { fixture, proxy in
            let result = try await fixture.fetch(url: "\(lie.isSecure ? "https" : "http")://\(Self.host)/a.jpg")
            #expect(result.reason == lie.reason, "\(result)")
            let detail = try #require(result.detail)
            #expect(detail.contains("the proxy 127.0.0.1:\(proxy.port) (fetch.proxy)"), "\(detail)")
            #expect(lie.detail.isEmpty || detail.contains(lie.detail), "\(detail)")
        }
    }

    @Test func `a fetch through a silent proxy ends at the connect limit or at the end of the budget`() async throws {
        var limits = FetchLimits()
        limits.connect = .milliseconds(100)
        try await Self.with([[]], hangsUp: false, limits: limits) { fixture, proxy in
            let result = try await fixture.fetch(url: "https://\(Self.host)/a.jpg")
            #expect(result.reason == .connectFailed && result.detail?.contains("opened no tunnel in time") == true)
            #expect(proxy.requests.count == 3)
        }
        try await Self.with([[]], hangsUp: false) { fixture, proxy in
            let result = try await fixture.fetch(url: "https://\(Self.host)/a.jpg", within: .milliseconds(100))
            #expect(result.reason == .budgetExceeded, "\(result)")
            #expect(result.detail?.contains("through the proxy 127.0.0.1:\(proxy.port) (fetch.proxy)") == true)
        }
    }

    @Test func `an unreachable proxy is reported with its name`() async throws {
        let proxy = try LoopbackListener(at: LoopbackAddress(0, 0, 1), port: 0, waits: false).port
        var policy = FetchPolicy()
        let names = LoopbackNames([Self.host: [[LoopbackAddress(0, 0, 1)]], "proxy.test": [[LoopbackAddress(0, 0, 1)]]])
        for (host, detail) in [
            ("proxy.test", "the proxy proxy.test:\(proxy) (fetch.proxy) cannot be used: "),
            ("nowhere.test", "the name of the proxy nowhere.test:\(proxy) (fetch.proxy) has no address: "),
        ] {
            policy.proxy = EgressProxy(ProxyEndpoint(host: host, port: proxy))
            try await OriginFixture.with(policy: policy, resolver: names) { fixture in
                let result = try await fixture.fetch(url: "http://\(Self.host)/a.jpg")
                #expect(result.reason == .connectFailed)
                #expect(result.detail?.hasPrefix(detail) == true, "\(result)")
            }
        }
    }

    @Test func `a wrong certificate of an origin behind the proxy is refused`() async throws {
        let (proxy, liar, server) = (
            try TunnelProxy(), try ChildServer(isMultiplexed: false), try ChildServer(isMultiplexed: false)
        )
        defer { proxy.stop() }
        var policy = FetchPolicy()
        (policy.caFile, policy.proxy) = (server.caFile, proxy.egress())
        let names = LoopbackNames([Self.host: [[LoopbackAddress(0, 0, 1)]], "other.test": [[LoopbackAddress(0, 0, 1)]]])
        try await OriginFixture.with(policy: policy, resolver: names) { fixture in
            try await fixture.expect(.tlsFailed, url: "https://\(Self.host):\(liar.port)/photo-small.jpg")
            try await fixture.expect(.tlsFailed, url: "https://other.test:\(server.port)/photo-small.jpg")
            try await fixture.expect(nil, url: "https://\(Self.host):\(server.port)/photo-small.jpg")
        }
    }

    // MARK: The circuit breaker and the log

    @Test(arguments: [
        ("HTTP/1.1 403 x\r\n\r\n", DegradationReason.connectFailed), ("HTTP/1.1 407 x\r\n\r\n", .connectFailed),
        ("HTTP/1.1 502 x\r\n\r\n", .connectFailed), ("", .connectFailed),
        ("HTTP/1.1 200 x\r\n\r\n", .connectionLost), ("HTTP/1.1 200 x\r\n\r\nSSH-2.0\r\n", .connectionLost),
    ])
    func `a proxy that refuses or sends wrong responses does not make a host rest`(
        _ answer: String, _ reason: DegradationReason
    ) async throws {
        try await Self.with([Array(answer.utf8)]) { fixture, _ in
            for number in 0..<CircuitBreaker.failuresToOpen + 1 {
                try await fixture.expect(reason, url: "http://\(Self.host)/\(number).jpg")
            }
            #expect(fixture.fetcher.resting.hosts(at: .now).isEmpty)
        }
    }

    @Test func `a proxy that serves no request is reported once, and its recovery is reported once`() async throws {
        let events = Record<FetchEvent>()
        let wrong = ScriptedOrigin.answer("407 x", [])
        let opened = Array((Self.opened + "HTTP/1.1 404 x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").utf8)
        let forbidden = ScriptedOrigin.answer("403 x", [])
        try await Self.with([wrong, wrong, opened, forbidden, forbidden]) { event in
            switch event {
            case .transferred, .tunnelFailed: break
            default: events.append(event)
            }
        } _: { fixture, proxy in
            for number in 0..<4 { _ = try await fixture.fetch(url: "http://\(Self.host)/\(number).jpg") }
            let name = "127.0.0.1:\(proxy.port)"
            let problem =
                "the proxy \(name) (fetch.proxy) answered 407 to CONNECT: write USER:PASSWORD into a file, and name the file in fetch.proxyCredentials"
            #expect(events.elements == [.proxyFails(name, problem), .proxyRecovered(name)])
        }
    }
}
