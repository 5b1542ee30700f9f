import Glibc
import HTTPTypes
import NIOCore
import NIOPosix
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

@Suite(.timeLimit(.minutes(1)))
struct AccessTests {
    @Test(arguments: [
        (UInt32(1_000), UInt32(5), true), (0, 5, true), (1_001, 5, false), (1_001, 50, true), (1_001, 0, false),
    ])
    func `the daemon's user, root and the group's members may use the socket`(user: UInt32, group: UInt32, may: Bool) {
        var rule = PeerRule(groupID: 50)
        rule.ownUserID = 1_000
        #expect(rule.admits(PeerCredentials(processID: 1, userID: user, groupID: group)) == may)
        // A supplementary group counts like the effective group.
        let member = PeerCredentials(processID: 1, userID: user, groupID: 7, otherGroupIDs: [8, group])
        #expect(rule.admits(member) == may)
        #expect(!rule.admits(nil))
    }

    @Test func `a rule without a group ignores the group of the process`() {
        var rule = PeerRule()
        rule.ownUserID = 1_000
        #expect(!rule.admits(PeerCredentials(processID: 1, userID: 1_001, groupID: 0)))
    }

    @Test func `the kernel reports the credentials of the peer`() async throws {
        let directory = try TemporaryDirectory()
        let group = MultiThreadedEventLoopGroup.singleton
        let (peers, peer) = AsyncStream.makeStream(of: PeerCredentials?.self)
        let listener = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                PeerCredentials.read(from: channel).map { _ = peer.yield($0) }
            }
            .bind(unixDomainSocketPath: directory.path + "/s").get()
        let client = try await ClientBootstrap(group: group).connect(unixDomainSocketPath: directory.path + "/s").get()
        var seen: PeerCredentials?
        for await credentials in peers {
            seen = credentials
            break
        }
        var groups = [gid_t](repeating: 0, count: 256)
        let count = Int(getgroups(256, &groups))
        let expected = PeerCredentials(
            processID: getpid(), userID: geteuid(), groupID: getegid(),
            otherGroupIDs: Set(groups.prefix(max(0, count))).subtracting([0]))
        #expect(seen == expected)
        try await client.close()
        try await listener.close()
    }

    @Test(
        arguments: [
            ("localhost", nil, nil), ("LocalHost:1", nil, nil), ("127.0.0.1:8480", nil, nil), ("[::1]:8480", nil, nil),
            ("[::1]", nil, nil), ("127.0.0.2:8480", "http://127.0.0.2:8480", nil),
            ("localhost", "http://localhost:8480", nil),
            ("localhost", "http://[::1]:8480", nil),
            ("127.0.0.1.evil.example", nil, .wrongHost), ("localhost.", nil, .wrongHost), ("[::2]", nil, .wrongHost),
            ("128.0.0.1", nil, .wrongHost), ("127.1", nil, .wrongHost),
            ("localhost:", nil, nil), ("localhost:65535", nil, nil), ("localhost:65536", nil, .badRequest),
            ("localhost:18446744073709551617", nil, .badRequest), ("evil.example:65536", nil, .badRequest),
            ("localhost:+1", nil, .badRequest), ("me@localhost", nil, .badRequest), ("[::1", nil, .badRequest),
            ("localhost:8480:1", nil, .badRequest), ("localhost:a", nil, .badRequest), ("", nil, .wrongHost),
            (nil, nil, .badRequest), ("localhost", "http://localhost", .forbidden),
            ("localhost", "http://localhost:8481", .forbidden), ("localhost", "https://localhost:8480", .forbidden),
            ("localhost", "http://localhost.evil.example:8480", .forbidden), ("localhost", "null", .forbidden),
            ("localhost", "", .forbidden), ("box.lan", nil, .wrongHost), ("[127.0.0.1]", nil, .wrongHost),
        ] as [(String?, String?, Problem.Kind?)])
    func `requests from pages of other origins are refused`(host: String?, origin: String?, refusal: Problem.Kind?) {
        var request = HTTPRequest(method: .get, scheme: "http", authority: host, path: "/")
        if let origin { request.headerFields[.origin] = origin }
        #expect(DNSRebindingGuard(port: 8_480).refusal(of: request)?.kind == refusal)
    }

    @Test(arguments: ["0.0.0.0", "192.168.1.1", "::", "example.com", "127.0.0.1.example.com", "128.0.0.1", ""])
    func `an address that other machines can reach is refused`(host: String) {
        #expect(throws: HTTPServerError.notLoopback(host: host)) {
            _ = try ServerBench.idle(HTTPServerSettings(tcp: .init(host: host)))
        }
    }

    @Test(arguments: ["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost"])
    func `a loopback address is accepted`(host: String) throws {
        _ = try ServerBench.idle(HTTPServerSettings(tcp: .init(host: host)))
    }

    @Test func `a server cannot be created without an address or a socket`() {
        #expect(throws: HTTPServerError.nothingToListenOn) { _ = try ServerBench.idle(HTTPServerSettings(tcp: nil)) }
    }
}
