import Base
import Digests
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

/// The tests of certificates and keys of single hosts (`fetch.hosts`), with real servers.
@Suite(.timeLimit(.minutes(1)))
struct HostTrustTests {
    private let directory: TemporaryDirectory
    private var names: LoopbackNames {
        LoopbackNames(
            Dictionary(
                uniqueKeysWithValues: ["one.hosts.test", "two.hosts.test"].map { ($0, [[LoopbackAddress(0, 0, 1)]]) }))
    }

    init() throws { directory = try TemporaryDirectory() }

    private func policy(all file: String?, _ trusts: [String: OriginTrust]) -> FetchPolicy {
        var policy = FetchPolicy()
        policy.caFile = file
        policy.trusts = OriginTrusts(trusts)
        return policy
    }

    private func url(_ host: String, _ server: ChildServer, _ query: Int = 0) -> String {
        "https://\(host):\(server.port)/photo-small.jpg?\(query)"
    }

    @Test func `the certificate authority of one host is trusted for no other host`() async throws {
        let (known, own) = (try ChildServer(isMultiplexed: false), try ChildServer(isMultiplexed: false))
        let policy = policy(all: known.caFile, ["One.hosts.test": OriginTrust(caFile: own.caFile)])
        try await OriginFixture.with(policy: policy, resolver: names) { fixture in
            try await fixture.expect(nil, url: url("one.hosts.test", own))
            try await fixture.expect(nil, url: url("one.hosts.test", known))
            try await fixture.expect(nil, url: url("two.hosts.test", known))
            try await fixture.expect(.tlsFailed, url: url("two.hosts.test", own))
        }
    }

    @Test func `a pinned host is fetched only over TLS`() throws {
        let policy = policy(all: nil, ["One.hosts.test": OriginTrust(pins: ["sha256//x"])])
        let failure = #expect(throws: MediaFailure.self) { try policy.validate("http://one.hosts.test/a.jpg") }
        #expect(failure?.reason == .forbiddenScheme)
        _ = try policy.validate("http://two.hosts.test/a.jpg")
    }

    @Test(arguments: [true, false])
    func `a pinned host is trusted by its key, and must also match its authority if one is set`(isMultiplexed: Bool)
        async throws
    {
        let (server, unknownKey) = (
            try ChildServer(isMultiplexed: isMultiplexed), try ChildServer(isMultiplexed: isMultiplexed)
        )
        let (pin, other) = (try Self.pin(of: server), try Self.pin(of: unknownKey))
        func expect(_ reason: DegradationReason?, all file: String, _ trust: OriginTrust) async throws {
            try await OriginFixture.with(policy: policy(all: file, ["one.hosts.test": trust]), resolver: names) {
                fixture in
                try await fixture.expect(reason, url: url("one.hosts.test", server))
            }
        }
        for file in [server.caFile, unknownKey.caFile] {
            try await expect(nil, all: file, OriginTrust(pins: [pin]))
            try await expect(nil, all: file, OriginTrust(pins: [other, pin]))
            try await expect(.tlsFailed, all: file, OriginTrust(pins: [other]))
        }
        try await expect(nil, all: unknownKey.caFile, OriginTrust(caFile: server.caFile, pins: [pin]))
        try await expect(.tlsFailed, all: unknownKey.caFile, OriginTrust(caFile: unknownKey.caFile, pins: [pin]))
        try await expect(.tlsFailed, all: server.caFile, OriginTrust(caFile: server.caFile, pins: [other]))
    }

    @Test func `a pinned key is refused for another name in the certificate and for a host without that pin`()
        async throws
    {
        let server = try ChildServer(isMultiplexed: false)
        let unknownKey = try ChildServer(isMultiplexed: false)
        let trust = OriginTrust(pins: [try Self.pin(of: server)])
        let names = LoopbackNames([
            "one.hosts.test": [[LoopbackAddress(0, 0, 1)]], "two.hosts.test": [[LoopbackAddress(0, 0, 1)]],
            "elsewhere.test": [[LoopbackAddress(0, 0, 1)]],
        ])
        let policy = policy(all: unknownKey.caFile, ["one.hosts.test": trust, "elsewhere.test": trust])
        try await OriginFixture.with(policy: policy, resolver: names) { fixture in
            try await fixture.expect(nil, url: url("one.hosts.test", server))
            try await fixture.expect(.tlsFailed, url: url("elsewhere.test", server))
            try await fixture.expect(.tlsFailed, url: url("two.hosts.test", server))
        }
    }

    @Test(arguments: [true, false])
    func `an open connection is not used again after the pin has changed`(isMultiplexed: Bool) async throws {
        let (server, unknownKey) = (
            try ChildServer(isMultiplexed: isMultiplexed), try ChildServer(isMultiplexed: false)
        )
        let (pin, other) = (try Self.pin(of: server), try Self.pin(of: unknownKey))
        let before = policy(all: server.caFile, ["one.hosts.test": OriginTrust(pins: [pin])])
        try await OriginFixture.with(policy: before, resolver: names) { fixture in
            try await fixture.expect(nil, url: url("one.hosts.test", server, 1))
            var after = policy(all: server.caFile, ["one.hosts.test": OriginTrust(pins: [other])])
            after.addresses = AddressPolicy(allowed: [AddressRange("127.0.0.0/8")].compactMap(\.self))
            fixture.fetcher.change(after)
            try await fixture.expect(.tlsFailed, url: url("one.hosts.test", server, 2))
        }
    }

    /// Returns the pin of the certificate's SubjectPublicKeyInfo, whose DER is in the PEM of the public key.
    private static func pin(of server: ChildServer) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = ["x509", "-in", server.caFile, "-noout", "-pubkey"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let pem = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let base64 = pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let key = try #require(Data(base64Encoded: base64))
        return "sha256//" + Data(SHA256.hash(Array(key))).base64EncodedString()
    }
}
