import Foundation
import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests of fetches through a proxy that works.
@Suite(.timeLimit(.minutes(2))) struct ProxyFetchTests {
    private static let host = "one.hosts.test"
    private static let here = LoopbackAddress(0, 0, 1)

    /// Runs `body` with a fetcher whose proxy is `proxy`, and whose names all resolve to this machine.
    static func with(
        _ proxy: TunnelProxy, as egress: EgressProxy? = nil, policy: FetchPolicy = FetchPolicy(),
        names: LoopbackNames = LoopbackNames([host: [[here]]]), _ body: (OriginFixture) async throws -> Void
    ) async throws {
        defer { proxy.stop() }
        var policy = policy
        policy.proxy = egress ?? proxy.egress()
        try await OriginFixture.with(policy: policy, resolver: names) { try await body($0) }
    }

    private static func url(_ fixture: OriginFixture, host: String = host) -> String {
        "http://\(host):\(fixture.origin.port)/photo-small.jpg"
    }

    @Test func `an http URL uses a tunnel to the validated address, and no direct connection to the origin`()
        async throws
    {
        let proxy = try TunnelProxy()
        try await Self.with(proxy) { fixture in
            for number in 0..<3 { try await fixture.expect(nil, url: Self.url(fixture) + "?\(number)") }
            #expect(proxy.targets == ["127.0.0.1:\(fixture.origin.port)"])
            #expect(fixture.origin.counts.connectionsAccepted == 1)
            #expect(fixture.origin.counts.requests == 3)
        }
    }

    @Test(arguments: [true, false])
    func `an https URL uses a tunnel, and the certificate is verified against the host name in the URL`(
        isMultiplexed: Bool
    ) async throws {
        let (proxy, server) = (try TunnelProxy(), try ChildServer(isMultiplexed: isMultiplexed))
        var policy = FetchPolicy()
        policy.caFile = server.caFile
        try await Self.with(proxy, policy: policy) { fixture in
            for number in 0..<3 {
                let trace = StageTrace()
                let result = try await fixture.fetch(
                    url: "https://\(Self.host):\(server.port)/photo-small.jpg?\(number)", trace: trace)
                #expect(result.reason == nil, "\(result)")
                let transfer = try #require(trace.transfers.last)
                #expect(transfer.protocolName == (isMultiplexed ? "h2" : "http/1.1"))
                #expect(transfer.isReused == (number > 0) && transfer.port == Int(proxy.port))
            }
            #expect(proxy.targets == ["127.0.0.1:\(server.port)"])
        }
    }

    @Test func `a tunnel is not reused for another name or another address`() async throws {
        let (proxy, other) = (try TunnelProxy(), LoopbackAddress(0, 0, 3))
        let names = LoopbackNames([
            "a.test": [[Self.here], [Self.here], [other], [LoopbackAddress(0, 0, 9)]], "b.test": [[Self.here]],
        ])
        var policy = FetchPolicy()
        policy.addresses = AddressPolicy()
        try await Self.with(proxy, policy: policy, names: names) { fixture in
            for host in ["a.test", "a.test", "b.test", "a.test"] {
                try await fixture.expect(nil, url: Self.url(fixture, host: host))
            }
            let port = fixture.origin.port
            #expect(proxy.targets == ["127.0.0.1:\(port)", "127.0.0.1:\(port)", "127.0.0.3:\(port)"])
        }
    }

    @Test func `a forbidden address is refused before a request to the proxy`() async throws {
        let proxy = try TunnelProxy()
        let names = LoopbackNames([Self.host: [[Self.here], [LoopbackAddress(1, 0, 1)]]])
        defer { proxy.stop() }
        var policy = FetchPolicy()
        policy.proxy = proxy.egress()
        try await OriginFixture.with(allowing: ["127.0.0.1"], policy: policy, resolver: names) { fixture in
            let port = fixture.origin.port
            try await fixture.expect(nil, url: Self.url(fixture))
            try await fixture.expect(.forbiddenAddress, url: Self.url(fixture) + "?2")
            try await fixture.expect(.forbiddenAddress, url: "http://127.1.0.1:\(port)/a.jpg")
            try await fixture.expect(
                .forbiddenAddress, "/redirect/to/http%3A%2F%2F127.1.0.1%3A\(port)%2Fa.jpg")
            #expect(Set(proxy.targets) == ["127.0.0.1:\(port)"])
        }
    }

    @Test func `the proxy gets its credentials unchanged, and the origin gets no credentials`() async throws {
        let (proxy, origin) = (try TunnelProxy(), try ScriptedOrigin([ScriptedOrigin.answer("404 Not Found", [])]))
        defer { origin.stop() }
        let credentials = "user:p%41s:s ü"
        let headers = OriginHeaders([Self.host: [("Authorization", "Bearer token")], "127.0.0.1": [("X-Key", "token")]])
        try await Self.with(
            proxy, as: proxy.egress(credentials: credentials), policy: FetchPolicy(headers: headers)
        ) { fixture in
            try await fixture.expect(.httpStatus, url: origin.url)
            let request = try #require(proxy.requests.first)
            let encoded = Data(credentials.utf8).base64EncodedString()
            #expect(request.contains("\r\nProxy-Authorization: Basic \(encoded)\r\n"))
            #expect(!request.contains("token"))
            let question = try #require(origin.requests.first)
            #expect(question.hasPrefix("GET /file.jpg HTTP/1.1\r\n") && question.contains("X-Key: token"))
            #expect(!question.lowercased().contains("proxy-"))
        }
    }

    @Test(arguments: [
        [host], ["hosts.test"], [".hosts.test"], ["*.hosts.test"], ["other.test", "127.0.0.1"], ["127.0.0.0/8"],
    ])
    func `the fetcher connects directly to hosts in noProxy`(_ entries: [String]) async throws {
        let proxy = try TunnelProxy()
        try await Self.with(proxy, as: proxy.egress(bypass: entries)) { fixture in
            try await fixture.expect(nil, url: Self.url(fixture))
            #expect(proxy.requests.isEmpty)
        }
    }

    @Test func `the environment cannot bypass the proxy`() async throws {
        let proxy = try TunnelProxy()
        try await HostileFetchTests.withEnvironment(["no_proxy": "*", "NO_PROXY": "*"]) {
            try await Self.with(proxy) { fixture in
                try await fixture.expect(nil, url: Self.url(fixture))
                #expect(proxy.requests.count == 1)
            }
        }
    }

    @Test func `the name of a proxy is resolved, and its addresses are not validated`() async throws {
        let proxy = try TunnelProxy()
        let names = LoopbackNames([Self.host: [[Self.here]], "proxy.test": [[LoopbackAddress(7, 7, 7), Self.here]]])
        try await Self.with(proxy, as: proxy.egress("proxy.test"), names: names) { fixture in
            try await fixture.expect(nil, url: Self.url(fixture))
            #expect(proxy.requests.count == 1)
        }
    }

    @Test func `a response that libcurl does not accept is requested again through the proxy`() async throws {
        let image = try Data(contentsOf: URL(filePath: Fixtures.media + "/photo-small.jpg"))
        let answer = ScriptedOrigin.answer("200 OK", ["Content-Length: \(image.count)", "no colon"], image)
        let (proxy, origin) = (try TunnelProxy(), try ScriptedOrigin([answer]))
        defer { origin.stop() }
        try await Self.with(proxy) { fixture in
            try await fixture.expect(nil, url: "http://\(Self.host):\(origin.port)/photo-small.jpg")
            #expect(proxy.targets == ["127.0.0.1:\(origin.port)", "127.0.0.1:\(origin.port)"])
            #expect(origin.requests.count == 2)
        }
    }

    // MARK: Names that the proxy resolves

    @Test func `an unresolved name fails with a hint about the setting for proxies that resolve names`()
        async throws
    {
        let proxy = try TunnelProxy()
        try await Self.with(proxy, names: LoopbackNames([:])) { fixture in
            let result = try await fixture.fetch(url: Self.url(fixture))
            #expect(result.reason == .dnsFailed)
            #expect(result.detail?.hasSuffix("set fetch.proxyResolves: true") == true, "\(result)")
            #expect(proxy.requests.isEmpty)
        }
    }

    @Test func `a proxy that resolves names gets the name, and no name server is queried`() async throws {
        let (proxy, server, names) = (try TunnelProxy(), try ChildServer(isMultiplexed: true), LoopbackNames([:]))
        var policy = FetchPolicy()
        policy.caFile = server.caFile
        policy.addresses.ports = [server.port]
        try await Self.with(proxy, as: proxy.egress(resolvesNames: true), policy: policy, names: names) { fixture in
            try await fixture.expect(nil, url: "https://\(Self.host):\(server.port)/photo-small.jpg")
            #expect(proxy.targets == ["\(Self.host):\(server.port)"] && names.asked.isEmpty)
        }
    }

    @Test func `literal addresses, ports and internal names are validated even if the proxy resolves names`()
        async throws
    {
        let proxy = try TunnelProxy()
        try await Self.with(proxy, as: proxy.egress(resolvesNames: true)) { fixture in
            try await fixture.expect(.forbiddenAddress, url: "http://10.0.0.1/a.jpg")
            try await fixture.expect(.forbiddenAddress, url: Self.url(fixture))
            for name in ["localhost", "db", "printer.local", "metadata.google.internal"] {
                try await fixture.expect(.forbiddenHost, url: "http://\(name)/a.jpg")
            }
            #expect(proxy.requests.isEmpty)
        }
    }

    @Test func `a host in noProxy is resolved and validated directly even if the proxy resolves names`() async throws {
        let (proxy, names) = (try TunnelProxy(), LoopbackNames([Self.host: [[LoopbackAddress(0, 0, 1)]]]))
        try await Self.with(
            proxy, as: proxy.egress(bypass: ["hosts.test"], resolvesNames: true), names: names
        ) { fixture in
            try await fixture.expect(nil, url: Self.url(fixture))
            #expect(proxy.requests.isEmpty && names.asked == [Self.host])
        }
    }
}
