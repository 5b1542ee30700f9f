import Authentication
import Base
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

/// Tests of certificates and tokens that are replaced while clients call.
@Suite(.timeLimit(.minutes(1)))
struct RotationTests {
    private static let clients = 4
    /// The number of calls of each client that are answered after each reload.
    private static let callsBetween = 10

    private static func token(_ name: String) -> StaticToken {
        StaticToken(digest: TokenDigest(of: name), caller: Caller(name: name, groups: .all, scopes: [.admin]))
    }

    private static func call(_ token: String, on connection: inout RawConnection) async throws -> Int {
        try await connection.send(
            "GET /v1/status HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n")
        return try await connection.readAnswer().status
    }

    @Test func `no call is lost when the certificate and the tokens are replaced under load`() async throws {
        let directory = try TemporaryDirectory()
        var made: [TestCertificate] = []
        for number in 0...3 { made.append(try await TestCertificate.make("made\(number)", in: directory)) }
        let used = CertificateFiles(chain: directory.path + "/used.pem", key: directory.path + "/used.key")
        @Sendable func use(_ files: TestCertificate) throws {
            for (from, to) in [(files.chain, used.chain), (files.key, used.key)] {
                try Data(contentsOf: URL(filePath: from)).write(to: URL(filePath: to))
            }
        }
        try use(made[0])
        let access = AccessControl(Authenticator(tokens: [Self.token("0")], issuers: []))
        let certificate = try SecureServerTests.serverCertificate(used)
        var settings = HTTPServerSettings()
        settings.needsToken = true
        settings.certificate = certificate
        let answers = CurrentValue([[Int]](repeating: [], count: Self.clients))
        let (current, isOver) = (CurrentValue("0"), AsyncEvent())
        try await ServerBench.run(settings, access: access) { [made] bench in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<Self.clients {
                    group.addTask {
                        while !isOver.isSignalled {
                            // Each connection has several calls, and begins with a handshake.
                            try await RawConnection.open(to: .tls(bench.port)) { connection in
                                for _ in 0..<5 {
                                    let status = try await Self.call(current.value, on: &connection)
                                    answers.update { $0[client].append(status) }
                                }
                            }
                        }
                    }
                }
                for number in 1...3 {
                    // Both tokens are valid until the clients have changed.
                    try use(made[number])
                    certificate.refresh()
                    let tokens = [Self.token("\(number - 1)"), Self.token("\(number)")]
                    access.change(Authenticator(tokens: tokens, issuers: []))
                    current.update { $0 = "\(number)" }
                    let counts = answers.value.map { $0.count + Self.callsBetween }
                    #expect(await answers.wait { zip($0, counts).allSatisfy { $0.count >= $1 } })
                    access.change(Authenticator(tokens: [tokens[1]], issuers: []))
                    let shown = try await SecureServerTests.curl(
                        bench, "/healthz", trusting: CertificateFiles(chain: made[number].chain, key: ""))
                    #expect(shown.output == "ok\n", "a new connection has certificate \(number)")
                    let earlier = try await SecureServerTests.curl(
                        bench, "/healthz", trusting: CertificateFiles(chain: made[number - 1].chain, key: ""))
                    #expect(earlier.status == 60)
                    let old = try await RawConnection.open(to: .tls(bench.port)) { connection in
                        try await Self.call("\(number - 1)", on: &connection)
                    }
                    #expect(old == 401)
                }
                isOver.signal()
                try await group.waitForAll()
            }
        }
        #expect(answers.value.allSatisfy { $0.count >= 3 * Self.callsBetween })
        #expect(answers.value.joined().allSatisfy { $0 == 200 })
    }
}
