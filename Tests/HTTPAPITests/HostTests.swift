import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

/// Tests of `Host` and of absolute targets on listeners with tokens or TLS, whose names the daemon does not know.
@Suite(.timeLimit(.minutes(1)))
struct HostTests {
    /// The request line without its version, its fields, and the status of the response.
    typealias Case = (line: String, fields: [String], status: Int)

    private static let cases: [Case] = [
        ("GET /healthz", ["Host: box.lan"], 200), ("GET /healthz", ["Host: BOX.lan:8480"], 200),
        ("GET /healthz", ["Host: [2001:db8::1]:8480"], 200), ("GET /healthz", [], 400),
        ("GET /healthz", ["Host: box.lan", "Host: box.lan"], 400),
        ("GET /healthz", ["Host: box.lan", "host: evil.example"], 400), ("GET /healthz", ["Host: me@box.lan"], 400),
        ("GET /healthz", ["Host: box.lan:65536"], 400), ("GET http://box.lan/healthz", ["Host: evil.example"], 200),
        ("GET http://box.lan/healthz", [], 400), ("GET http://box.lan/healthz", ["Host: a", "Host: a"], 400),
        ("GET http://me@box.lan/healthz", ["Host: a"], 400), ("GET ftp://box.lan/healthz", ["Host: a"], 400),
        // A call without a token learns no more than that its `Host` is missing.
        ("GET /v1/status", [], 400), ("GET /v1/status", ["Host: a"], 401),
    ]

    private static func status(_ call: Case, at place: RawConnection.Place, version: String = "1.1") async throws -> Int
    {
        try await RawConnection.open(to: place) { connection in
            let fields = (call.fields + ["Connection: close"]).map { $0 + "\r\n" }.joined()
            try await connection.send("\(call.line) HTTP/\(version)\r\n\(fields)\r\n")
            return try await connection.readAnswer().status
        }
    }

    @Test func `a listener with tokens needs one well-formed Host, with any name`() async throws {
        var settings = HTTPServerSettings()
        settings.needsToken = true
        settings.monitoring = .init(port: 0)
        try await ServerBench.run(settings) { bench in
            for call in Self.cases {
                let status = try await Self.status(call, at: .tcp(bench.port))
                #expect(status == call.status, "\(call)")
                guard call.line.hasSuffix("/healthz") else { continue }
                let monitoring = try await Self.status(call, at: .tcp(bench.monitoringPort))
                #expect(monitoring == call.status, "\(call)")
            }
            let secure = try await Self.status(("GET https://box.lan/healthz", ["Host: a"], 400), at: .tcp(bench.port))
            #expect(secure == 400)
            let old = try await Self.status(("GET /healthz", [], 200), at: .tcp(bench.port), version: "1.0")
            #expect(old == 200)
        }
    }

    @Test(arguments: [true, false])
    func `over TLS, an absolute target may have the scheme https`(needsToken: Bool) async throws {
        let directory = try TemporaryDirectory()
        let made = try await TestCertificate.make("a", in: directory)
        var settings = HTTPServerSettings()
        settings.needsToken = needsToken
        settings.certificate = try SecureServerTests.serverCertificate(
            CertificateFiles(chain: made.chain, key: made.key))
        try await ServerBench.run(settings) { bench in
            let place = RawConnection.Place.tls(bench.port)
            for call in Self.cases where needsToken {
                let status = try await Self.status(call, at: place)
                #expect(status == call.status, "\(call)")
            }
            for (target, fields, expected) in [
                ("https://localhost/healthz", ["Host: evil.example"], 200), ("https://localhost/healthz", [], 400),
                ("https://localhost/healthz", ["Host: a", "Host: a"], 400),
                // Without tokens, only names of loopback are permitted.
                ("https://evil.example/healthz", ["Host: localhost"], needsToken ? 200 : 421),
                ("https://me@localhost/healthz", ["Host: localhost"], 400),
            ] {
                let status = try await Self.status(("GET \(target)", fields, expected), at: place)
                #expect(status == expected, "\(target) \(fields)")
            }
        }
    }
}
