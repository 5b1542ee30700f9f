import Base
import Lab
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

/// The tests of fetches through the proxies of Debian, which respond like those of companies.
@Suite(.timeLimit(.minutes(2))) struct RealProxyTests {
    private static let host = "one.hosts.test"
    private static let names = LoopbackNames([
        host: [[LoopbackAddress(0, 0, 1)]], "h2.test": [[LoopbackAddress(0, 0, 1)]],
    ])

    private static func with(
        _ proxy: ProxyServer, credentials: String? = nil, resolvesNames: Bool = false,
        policy: FetchPolicy = FetchPolicy(), _ body: (OriginFixture) async throws -> Void
    ) async throws {
        var policy = policy
        policy.proxy = EgressProxy(
            ProxyEndpoint(host: "127.0.0.1", port: proxy.port, credentials: credentials), resolvesNames: resolvesNames)
        try await OriginFixture.with(policy: policy, resolver: names) { try await body($0) }
    }

    /// Runs `body` with a proxy that can resolve the name `localhost`, which it finds in /etc/hosts.
    private static func withName(
        _ proxy: ProxyServer, resolvesNames: Bool, _ body: (OriginFixture, _ url: String) async throws -> Void
    ) async throws {
        var policy = FetchPolicy()
        policy.hosts = HostAllowlist(allowed: ["localhost"])
        policy.proxy = EgressProxy(
            ProxyEndpoint(host: "127.0.0.1", port: proxy.port), resolvesNames: resolvesNames)
        let names = LoopbackNames(["localhost": [[LoopbackAddress(0, 0, 1)]]])
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            policy.addresses.ports.insert(UInt16(origin.port))
            try await OriginFixture.with(policy: policy, resolver: names) { fixture in
                try await body(fixture, "http://localhost:\(origin.port)/photo-small.jpg")
            }
        }
    }

    @Test(arguments: ProxyServer.Program.allCases)
    func `http and https URLs use tunnels to the validated address`(_ program: ProxyServer.Program) async throws {
        let (proxy, server) = (try ProxyServer(program), try ChildServer(isMultiplexed: true))
        var policy = FetchPolicy()
        policy.caFile = server.caFile
        try await Self.with(proxy, policy: policy) { fixture in
            try await fixture.expect(nil, url: "http://\(Self.host):\(fixture.origin.port)/photo-small.jpg")
            try await fixture.expect(nil, url: "https://\(Self.host):\(server.port)/photo-small.jpg")
            try await fixture.expect(nil, url: "https://\(Self.host):\(server.port)/photo-small.jpg?2")
        }
        // Squid writes the line after the tunnel has ended.
        try await wait(for: "the log") { proxy.targets.count == 2 }
        #expect(proxy.targets.allSatisfy { $0.hasPrefix("127.0.0.1:") })
    }

    @Test(arguments: ProxyServer.Program.allCases)
    func `the proxy demands a password, and accepts the configured password`(_ program: ProxyServer.Program)
        async throws
    {
        let password = String((0..<16).map { _ in "abcdefghijkmnpqrstuvwxyz23456789".randomElement() ?? "a" })
        let proxy = try ProxyServer(program, .init(credentials: ("media", password)))
        let tries: [(credentials: String?, remedy: String?)] = [
            (nil, "write USER:PASSWORD into a file, and name the file in fetch.proxyCredentials"),
            ("media:\(password)x", "it does not accept the user and the password in fetch.proxyCredentials"),
            ("media:\(password)", nil),
        ]
        for (credentials, remedy) in tries {
            try await Self.with(proxy, credentials: credentials) { fixture in
                let result = try await fixture.fetch(url: "http://\(Self.host):\(fixture.origin.port)/photo-small.jpg")
                #expect(result.reason == (remedy.map { _ in .connectFailed }), "\(result)")
                if let remedy { #expect(result.detail?.contains(remedy) == true, "\(result)") }
                #expect(result.detail?.contains(password) != true)
            }
        }
    }

    @Test(arguments: ProxyServer.Program.allCases)
    func `a proxy that permits only names serves requests only if proxyResolves is set`(
        _ program: ProxyServer.Program
    ) async throws {
        let proxy = try ProxyServer(program, .init(onlyHost: "localhost"))
        try await Self.withName(proxy, resolvesNames: false) { fixture, url in
            let result = try await fixture.fetch(url: url)
            #expect(result.reason == .connectFailed)
            let detail = try #require(result.detail)
            #expect(detail.contains("the proxy 127.0.0.1:\(proxy.port) (fetch.proxy) answered 403 to CONNECT"))
            #expect(detail.hasSuffix("set fetch.proxyResolves: true"), "\(detail)")
        }
        try await Self.withName(proxy, resolvesNames: true) { fixture, url in
            try await fixture.expect(nil, url: url)
        }
    }

    @Test(arguments: ProxyServer.Program.allCases)
    func `a fetch from a host that the proxy cannot reach names the proxy, and the host does not rest`(
        _ program: ProxyServer.Program
    ) async throws {
        let proxy = try ProxyServer(program)
        let port = try LoopbackListener(at: LoopbackAddress(0, 0, 1), port: 0, waits: false).port
        try await Self.with(proxy) { fixture in
            for number in 0...CircuitBreaker.failuresToOpen {
                let result = try await fixture.fetch(url: "http://\(Self.host):\(port)/\(number).jpg")
                #expect(result.reason == .connectFailed)
                #expect(
                    result.detail?.contains("the proxy does not reach \(Self.host):\(port) at 127.0.0.1") == true,
                    "\(result)")
            }
            #expect(fixture.fetcher.resting.hosts(at: .now).isEmpty)
        }
    }

    @Test func `a proxy with TLS is used over TLS, and its certificate is verified against the name of the proxy`()
        async throws
    {
        let (proxy, server) = (try ProxyServer(.squid, .init(isSecure: true)), try ChildServer(isMultiplexed: true))
        let cases: [(host: String, trust: OriginTrust?, problem: String?)] = [
            ("h2.test", OriginTrust(caFile: proxy.caFile), nil),
            ("h2.test", nil, "the certificate of the proxy is not trusted"),
            ("other.test", OriginTrust(caFile: proxy.caFile), "the proxy other.test"),
        ]
        let names = LoopbackNames([
            Self.host: [[LoopbackAddress(0, 0, 1)]], "h2.test": [[LoopbackAddress(0, 0, 1)]],
            "other.test": [[LoopbackAddress(0, 0, 1)]],
        ])
        for (host, trust, problem) in cases {
            var policy = FetchPolicy()
            policy.caFile = server.caFile
            policy.proxy = EgressProxy(ProxyEndpoint(isSecure: true, host: host, port: proxy.port, trust: trust))
            try await OriginFixture.with(policy: policy, resolver: names) { fixture in
                let origins = [
                    "https://\(Self.host):\(server.port)", "http://\(Self.host):\(fixture.origin.port)",
                ]
                for origin in origins {
                    let result = try await fixture.fetch(url: "\(origin)/photo-small.jpg")
                    #expect(result.reason == (problem.map { _ in .tlsFailed }), "\(result)")
                    if let problem { #expect(result.detail?.contains(problem) == true, "\(result)") }
                }
            }
        }
    }
}
