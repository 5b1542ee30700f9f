import Base
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

/// The tests of the trust in certificates, with real servers and certificates.
@Suite(.timeLimit(.minutes(1)))
struct CertificateTests {
    private let directory: TemporaryDirectory
    private let clock = ManualClock()
    private var now: @Sendable () -> MonotonicInstant { { [clock] in clock.now } }
    private var file: String { "\(directory.path)/trusted.pem" }

    init() throws { directory = try TemporaryDirectory() }

    /// Returns a server that closes each connection after one request.
    private func forgetfulServer() throws -> ChildServer {
        try ChildServer(isMultiplexed: false, settings: "keepalive_timeout 0;")
    }

    private func trust(_ server: ChildServer) throws {
        // The file is replaced by a rename, as administrators replace files.
        let next = "\(file).next"
        try Data(contentsOf: URL(filePath: server.caFile)).write(to: URL(filePath: next))
        guard rename(next, file) == 0 else { throw ChildServer.Missing(description: "no \(file)") }
    }

    private func policy() -> FetchPolicy {
        var policy = FetchPolicy()
        policy.caFile = file
        return policy
    }

    @Test func `the certificate file is read once for all hosts`() async throws {
        let (server, unknownKey) = (try forgetfulServer(), try forgetfulServer())
        try trust(server)
        let hosts = (0..<12).map { "host-\($0).hosts.test" }
        let names = LoopbackNames(Dictionary(uniqueKeysWithValues: hosts.map { ($0, [[LoopbackAddress(0, 0, 1)]]) }))
        try await OriginFixture.with(policy: policy(), resolver: names, now: now) { fixture in
            try await fixture.expect(nil, url: "https://\(hosts[0]):\(server.port)/photo-small.jpg")
            try trust(unknownKey)
            for host in hosts.dropFirst() {
                try await fixture.expect(nil, url: "https://\(host):\(server.port)/photo-small.jpg")
            }
        }
    }

    /// After the trusted certificates change, no idle connection and no TLS session from before the change is reused.
    @Test(arguments: [true, false])
    func `a replaced certificate file is used after it has existed for a second`(isMultiplexed: Bool) async throws {
        let (first, second) = (try ChildServer(isMultiplexed: isMultiplexed), try forgetfulServer())
        try trust(first)
        try await OriginFixture.with(policy: policy(), now: now) { fixture in
            let url = "https://127.0.0.1:\(first.port)/photo-small.jpg"
            try await fixture.expect(nil, url: "\(url)?1")
            try trust(second)
            clock.advance(by: CAStoreCache.checkInterval)
            // The resolution of the kernel's clock decides whether this check reads the file.
            _ = try await fixture.fetch(url: "\(url)?2")
            clock.advance(by: CAStoreCache.checkInterval)
            try await fixture.expect(.tlsFailed, url: "\(url)?3")
            try await fixture.expect(nil, url: "https://127.0.0.1:\(second.port)/photo-small.jpg")
        }
    }

    /// libcurl's own store accepts such an authority too.
    @Test func `an intermediate authority is trusted without its root`() async throws {
        let server = try ChildServer(isMultiplexed: false, isSelfSigned: false)
        try trust(server)
        try await OriginFixture.with(policy: policy()) { fixture in
            try await fixture.expect(nil, url: "https://127.0.0.1:\(server.port)/photo-small.jpg")
        }
    }

    /// An idle connection or a TLS session from before the change would keep the earlier trust.
    @Test(arguments: [true, false])
    func `a server that an earlier file trusted is verified again after a change of the file`(isMultiplexed: Bool)
        async throws
    {
        let (server, unknownKey) = (try ChildServer(isMultiplexed: isMultiplexed), try forgetfulServer())
        try trust(server)
        try await OriginFixture.with(policy: policy()) { fixture in
            let url = "https://127.0.0.1:\(server.port)/photo-small.jpg"
            try await fixture.expect(nil, url: "\(url)?1")
            var changed = policy()
            changed.addresses = AddressPolicy(allowed: [AddressRange("127.0.0.0/8")].compactMap(\.self))
            changed.caFile = unknownKey.caFile
            fixture.fetcher.change(changed)
            try await fixture.expect(.tlsFailed, url: "\(url)?2")
            changed.caFile = file
            fixture.fetcher.change(changed)
            try await fixture.expect(nil, url: "\(url)?3")
        }
    }

    @Test func `the error names a missing certificate file, and the failure makes no host rest`() async throws {
        let server = try forgetfulServer()
        try await OriginFixture.with(policy: policy()) { fixture in
            let url = "https://127.0.0.1:\(server.port)/photo-small.jpg"
            for number in 0...CircuitBreaker.failuresToOpen {
                let result = try await fixture.fetch(url: "\(url)?\(number)")
                #expect(result.reason == .tlsFailed)
                #expect(
                    result.detail
                        == "no certificates can be read from \(file) (fetch.caFile): No such file or directory")
            }
        }
    }

    @Test func `an unreadable certificate file is reported once, and the earlier certificates stay in use`()
        async throws
    {
        let server = try forgetfulServer()
        try trust(server)
        let reported = Record<FetchEvent>()
        let observer = { @Sendable (event: FetchEvent) in
            if case .certificatesUnreadable = event { reported.append(event) }
        }
        try await OriginFixture.with(policy: policy(), now: now, observer: observer) { fixture in
            let url = "https://127.0.0.1:\(server.port)/photo-small.jpg"
            try await fixture.expect(nil, url: "\(url)?0")
            try #require(unlink(file) == 0)
            for number in 1...4 {
                clock.advance(by: CAStoreCache.checkInterval)
                try await fixture.expect(nil, url: "\(url)?\(number)")
            }
        }
        let problem = "no certificates can be read from \(file) (fetch.caFile): No such file or directory"
        #expect(
            reported.elements
                == [.certificatesUnreadable("\(problem); the certificates that were read before stay in use")])
    }
}
