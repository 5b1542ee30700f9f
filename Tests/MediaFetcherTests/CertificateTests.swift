import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

/// Whom an origin's certificate is believed, with real servers and certificates.
@Suite(.timeLimit(.minutes(1)))
struct CertificateTests {
    private let folder: TemporaryFolder
    private var file: String { "\(folder.path)/trusted.pem" }

    init() throws { folder = try TemporaryFolder() }

    /// Of each connection that it is asked for, nothing is left for the next.
    private func forgetfulServer() throws -> ChildServer {
        try ChildServer(isMultiplexed: false, settings: "keepalive_timeout 0;")
    }

    private func trust(_ server: ChildServer) throws {
        // As who manages a machine does: another file under the name.
        let next = "\(file).next"
        try Data(contentsOf: URL(filePath: server.caFile)).write(to: URL(filePath: next))
        guard rename(next, file) == 0 else { throw ChildServer.Missing(description: "no \(file)") }
    }

    private func policy() -> FetchPolicy {
        var policy = FetchPolicy()
        policy.caFile = file
        return policy
    }

    @Test func `the file is read once for all hosts`() async throws {
        let server = try forgetfulServer()
        try trust(server)
        let hosts = (0..<12).map { "host-\($0).hosts.test" }
        let names = LoopbackNames(Dictionary(uniqueKeysWithValues: hosts.map { ($0, [[LoopbackAddress(0, 0, 1)]]) }))
        try await OriginFixture.with(policy: policy(), resolver: names) { fixture in
            try await fixture.expect(nil, url: "https://\(hosts[0]):\(server.port)/photo-small.jpg")
            try Data("no certificate".utf8).write(to: URL(filePath: file))
            for host in hosts.dropFirst() {
                try await fixture.expect(nil, url: "https://\(host):\(server.port)/photo-small.jpg")
            }
        }
    }

    @Test func `what replaces the file counts from the next connection on`() async throws {
        let (first, second) = (try forgetfulServer(), try forgetfulServer())
        try trust(first)
        try await OriginFixture.with(policy: policy()) { fixture in
            try await fixture.expect(nil, url: "https://127.0.0.1:\(first.port)/photo-small.jpg")
            try await fixture.expect(.tlsFailed, url: "https://127.0.0.1:\(second.port)/photo-small.jpg?1")
            try trust(second)
            try await fixture.expect(nil, url: "https://127.0.0.1:\(second.port)/photo-small.jpg?2")
        }
    }

    /// Else a connection that is kept would go on to be believed, and so would a TLS session.
    @Test(arguments: [true, false])
    func `who was believed by another file has to prove himself again`(isMultiplexed: Bool) async throws {
        let (server, stranger) = (try ChildServer(isMultiplexed: isMultiplexed), try forgetfulServer())
        try trust(server)
        try await OriginFixture.with(policy: policy()) { fixture in
            let url = "https://127.0.0.1:\(server.port)/photo-small.jpg"
            try await fixture.expect(nil, url: "\(url)?1")
            var changed = policy()
            changed.addresses = AddressRule(allowed: [AddressRange("127.0.0.0/8")].compactMap(\.self))
            changed.caFile = stranger.caFile
            fixture.fetcher.change(changed)
            try await fixture.expect(.tlsFailed, url: "\(url)?2")
            changed.caFile = file
            fixture.fetcher.change(changed)
            try await fixture.expect(nil, url: "\(url)?3")
        }
    }

    @Test func `a file without certificates is named`() async throws {
        let server = try forgetfulServer()
        try await OriginFixture.with(policy: policy()) { fixture in
            let result = try await fixture.fetch(url: "https://127.0.0.1:\(server.port)/photo-small.jpg")
            #expect(result.reason == .tlsFailed)
            #expect(result.detail == "no certificate can be read from \(file)")
        }
    }
}
