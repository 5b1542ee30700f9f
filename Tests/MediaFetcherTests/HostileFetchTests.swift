import Base
import Foundation
import Glibc
import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests of `fixtures/hostile_urls.json` that need a fetcher: resolved names, redirects, reused connections and the
/// environment. The canary counts forbidden connections.
@Suite struct HostileFetchTests {
    /// Returns the addresses of a case in the form of the fixture.
    private static func answers(_ hostile: HostileCase) throws -> [LoopbackAddress] {
        try (hostile.resolved ?? []).map { text in
            AddressPolicy.isPublic(try #require(IPAddress(text))) ? CanaryBench.open : CanaryBench.closed
        }
    }

    /// Returns the host of a case's URL if it is a name; otherwise `nil`, because the fixture supports no addresses.
    private static func name(_ hostile: HostileCase) -> String? {
        guard let url = hostile.url, let host = url.split(separator: "/").dropFirst().first, !host.contains(":"),
            IPAddress(String(host)) == nil
        else { return nil }
        return String(host)
    }

    @Test(arguments: HostileCase.all(.resolve).filter { name($0) != nil })
    func `the fetcher connects to a host only if all addresses of the host are allowed`(_ hostile: HostileCase)
        async throws
    {
        let name = try #require(Self.name(hostile))
        let key = name.lowercased().split(separator: ".").joined(separator: ".")
        try await CanaryBench.with(names: [key: [try Self.answers(hostile)]]) { bench in
            let reason = await bench.fetch(name)
            #expect(bench.canary.takeConnections() == 0)
            switch hostile.verdict {
            case .allow, .allowCapped:
                #expect(reason == nil)
                #expect(bench.origin.counts.connectionsAccepted == 1)
            default:
                #expect(reason != nil)
                #expect(bench.origin.counts.connectionsAccepted == 0)
            }
        }
    }

    @Test func `only the first addresses of a host are tried`() async throws {
        let deaf = (0..<UInt8(FetchLimits().addresses)).map { LoopbackAddress(1, 0, $0) }
        try await CanaryBench.with(
            names: ["many.test": [deaf + [CanaryBench.open]]], allowing: ["127.1.0.0/16", CanaryBench.open.text]
        ) { bench in
            // The addresses are tried again until the budget ends, and always the same ones.
            #expect(await bench.fetch("many.test", within: .seconds(1)) != nil)
            #expect(bench.origin.counts.connectionsAccepted == 0)
        }
    }

    @Test func `a name with changed addresses is validated again at the next fetch`() async throws {
        try await CanaryBench.with(names: ["rebind.test": [[CanaryBench.open], [CanaryBench.closed]]]) { bench in
            #expect(await bench.fetch("rebind.test") == nil)
            #expect(await bench.fetch("rebind.test") == .forbiddenAddress)
            #expect(bench.canary.takeConnections() == 0)
            #expect(bench.origin.counts.requests == 1)
        }
    }

    @Test func `a call to a server checks each address when it connects`() async throws {
        let names = ["rebind.test": [[CanaryBench.open], [CanaryBench.closed]]]
        try await CanaryBench.with(names: names) { bench in
            guard case .success = await bench.post("rebind.test", "/photo-small.jpg") else {
                Issue.record("the first address is permitted")
                return
            }
            #expect(await bench.post("rebind.test", "/x").failureReason == .forbiddenAddress)
            #expect(await bench.post("127.0.0.2", "/x").failureReason == .forbiddenAddress)
            #expect(bench.canary.takeConnections() == 0)
        }
    }

    @Test(arguments: CanaryBench.Spelling.allCases)
    func `loopback is refused in every notation`(_ spelling: CanaryBench.Spelling) async throws {
        try await CanaryBench.with(names: [:], allowing: []) { bench in
            #expect(await bench.fetch(spelling) == .forbiddenAddress)
            #expect(bench.origin.counts.connectionsAccepted == 0)
            #expect(bench.names.asked.isEmpty)
        }
    }

    @Test(arguments: [
        "gopher://closed.test:PORT/_x", "ftp://ok.test:PORT/x", "http://closed.test:PORT/x", "//closed.test:PORT/x",
        "http://127.0.0.2:PORT/x", "http://[::ffff:127.0.0.2]:PORT/x", "http://2130706434:PORT/x",
        "http://ok.test:PORT@127.0.0.2:PORT/x", "\\\\127.0.0.2:PORT\\x", "/\\127.0.0.2:PORT/x",
        "http:\\\\127.0.0.2:PORT\\x", "http:///127.0.0.2:PORT/x", "file:///etc/passwd", "http://both.test:PORT/x",
        "http://nowhere.test:PORT/x",
    ])
    func `a redirect cannot reach an internal address`(_ target: String) async throws {
        let names: [String: [[LoopbackAddress]]] = [
            "ok.test": [[CanaryBench.open]], "closed.test": [[CanaryBench.closed]],
            "both.test": [[CanaryBench.open, CanaryBench.closed]],
        ]
        try await CanaryBench.with(names: names) { bench in
            let target = target.split(separator: "PORT", omittingEmptySubsequences: false)
                .joined(separator: "\(bench.origin.port)")
            let reason = await bench.fetch("ok.test", "/redirect/to/\(PercentEncoding.text(of: target))")
            #expect([.redirectRefused, .forbiddenAddress, .dnsFailed].contains(reason))
            #expect(bench.canary.takeConnections() == 0)
            #expect(bench.origin.counts.requests == 1)
        }
    }

    @Test func `endless redirects are refused`() async throws {
        try await CanaryBench.with(names: ["a.test": [[CanaryBench.open]], "b.test": [[CanaryBench.open]]]) { bench in
            let loop = PercentEncoding.text(of: "http://b.test:\(bench.origin.port)/redirect/loop")
            #expect(await bench.fetch("a.test", "/redirect/to/\(loop)") == .redirectRefused)
            #expect(bench.origin.counts.requests == FetchLimits().redirects + 1)
        }
    }

    @Test func `proxies and credentials of the environment are not used`() async throws {
        let directory = try TemporaryDirectory()
        try Data("machine ok.test login u password p\ndefault login u password p\n".utf8)
            .write(to: URL(filePath: directory.path + "/.netrc"))
        try await CanaryBench.with(names: ["ok.test": [[CanaryBench.open]]]) { bench in
            let proxy = "http://\(CanaryBench.closed.text):\(bench.canary.port)"
            try await Self.withEnvironment(
                ["http_proxy": proxy, "all_proxy": proxy, "ALL_PROXY": proxy, "HOME": directory.path]
            ) {
                #expect(await bench.fetch("ok.test") == nil)
            }
            #expect(bench.canary.takeConnections() == 0)
            #expect(bench.origin.counts.requestsAuthorized == 0)
        }
    }

    @Test func `a response from a service without HTTP is refused`() async throws {
        let service = try TalkingService(at: CanaryBench.open, saying: "-ERR unknown command\r\n")
        defer { service.stop() }
        try await CanaryBench.with(names: ["redis.test": [[CanaryBench.open]]]) { bench in
            let reason = await bench.fetch("redis.test", "/x", port: service.port)
            #expect(reason != nil)
            #expect(service.connections >= 1)
        }
    }

    @Test(arguments: ["db", "printer.local", "metadata.google.internal", "example.onion"])
    func `an internal name is not resolved if no ranges are allowed`(_ name: String) async throws {
        try await CanaryBench.with(names: [name: [[CanaryBench.closed]]], allowing: []) { bench in
            #expect(await bench.fetch(name) == .forbiddenHost)
            #expect(bench.names.asked.isEmpty)
            #expect(bench.canary.takeConnections() == 0)
        }
    }

    static func withEnvironment(_ values: [String: String], _ body: () async throws -> Void) async throws {
        let before = values.keys.map { ($0, getenv($0).map { String(cString: $0) }) }
        for (name, value) in values { setenv(name, value, 1) }
        defer {
            for (name, value) in before {
                if let value { setenv(name, value, 1) } else { unsetenv(name) }
            }
        }
        try await body()
    }
}

extension Result where Failure == MediaFailure {
    /// The reason of a failure; `nil` for a success.
    fileprivate var failureReason: DegradationReason? {
        if case .failure(let failure) = self { failure.reason } else { nil }
    }
}
