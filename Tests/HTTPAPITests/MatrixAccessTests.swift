import Authentication
import Base
import NotificationModel
import Testing

@testable import Features
@testable import HTTPAPI

/// The callers of the push gateway for homeservers, and the paths that it does not have.
@Suite(.timeLimit(.minutes(1)))
struct MatrixAccessTests {
    /// A server whose callers need a token.
    private static func run(
        _ settings: MatrixGateway.Settings, _ body: (ServerBench) async throws -> Void
    ) async throws {
        var server = HTTPServerSettings()
        server.needsToken = true
        server.monitoring = .init(port: 0)
        let groups = GroupPermission(names: ["group.default"])
        let tokens = [("submit", Scope.submit), ("read", .read)].map { name, scope in
            StaticToken(
                digest: TokenDigest(of: "token-\(name)"), caller: Caller(name: name, groups: groups, scopes: [scope]))
        }
        try await ServerBench.run(
            server, access: AccessControl(Authenticator(tokens: tokens, issuers: [])), matrix: MatrixGateway(settings),
            body)
    }

    @Test(arguments: [MatrixBodies.path, "/_api/push/v1/notify", "/push/notify"])
    func `a client of UnifiedPush discovers the gateway`(path: String) async throws {
        try await ServerBench.run(matrix: MatrixGateway(.init(paths: ["/push/notify"]))) { bench in
            let answer = try await bench.send("GET", path)
            #expect(answer.status == 200 && answer.body == #"{"unifiedpush":{"gateway":"matrix"}}"#)
        }
    }

    @Test func `an unknown path or method of Matrix is unrecognized`() async throws {
        try await ServerBench.run { bench in
            for (method, path, status) in [
                ("POST", "/_matrix/push/v2/notify", 404), ("GET", "/_matrix/", 404),
                ("GET", "/_matrix/client/versions", 404), ("PUT", MatrixBodies.path, 405),
                ("DELETE", "/_api/push/v1/notify", 405),
            ] {
                let answer = try await bench.send(method, path)
                #expect(answer.status == status, "\(method) \(path)")
                #expect(answer.json["errcode"] == "M_UNRECOGNIZED" && answer.json["error"]?.string != nil)
                #expect((answer["allow"] == "POST, GET, HEAD") == (status == 405), "\(answer.head)")
            }
            for path in ["/push/notify", "/_matrix", "/v1/_matrix/a"] {
                let answer = try await bench.send("POST", path, body: "{}")
                #expect(answer.status == 404 && answer["content-type"] == "application/problem+json", "\(path)")
            }
        }
    }

    @Test func `a gateway that is switched off has no paths`() async throws {
        try await ServerBench.run(matrix: MatrixGateway(.init(access: .off, paths: ["/push/notify"]))) { bench in
            for path in [MatrixBodies.path, "/_api/push/v1/notify", "/push/notify"] {
                for method in ["GET", "POST"] {
                    let answer = try await bench.send(method, path, body: method == "GET" ? "" : MatrixBodies.push())
                    #expect(answer.status == 404, "\(method) \(path)")
                    #expect(path == "/push/notify" || answer.json["errcode"] == "M_UNRECOGNIZED")
                }
            }
            #expect(bench.coordinator.submissions.isEmpty)
        }
    }

    @Test func `a configured path takes no path of the daemon`() async throws {
        let paths = ["/healthz", "/v1/notifications", "/v1/notifications/a"]
        try await ServerBench.run(matrix: MatrixGateway(.init(paths: paths))) { bench in
            let health = try await bench.send("GET", "/healthz")
            #expect(health.body == "ok\n")
            let request = try await bench.send("GET", "/v1/notifications/a")
            #expect(request.status == 404)
        }
    }

    @Test func `a homeserver needs a token if other callers need one`() async throws {
        try await Self.run(.init()) { bench in
            for (fields, status, code) in [
                ([], 401, "M_MISSING_TOKEN"), (["Authorization: Bearer wrong"], 401, "M_UNKNOWN_TOKEN"),
                (["Authorization: Bearer token-read"], 403, "M_FORBIDDEN"),
            ] {
                let answer = try await bench.send("POST", MatrixBodies.path, fields, body: MatrixBodies.push())
                #expect(answer.status == status && answer.json["errcode"]?.string == code, "\(answer)")
            }
            #expect(bench.coordinator.submissions.isEmpty)
            let answer = try await bench.send(
                "POST", MatrixBodies.path, ["Authorization: Bearer token-submit"], body: MatrixBodies.push())
            #expect(answer.status == 200)
            #expect(bench.coordinator.submissions.map(\.permittedGroups) == [GroupPermission(names: ["group.default"])])
        }
    }

    @Test func `an open gateway needs no token, and opens no other call`() async throws {
        try await Self.run(.init(access: .open, paths: ["/push/notify"])) { bench in
            for path in [MatrixBodies.path, "/_api/push/v1/notify", "/push/notify"] {
                let answer = try await bench.send("POST", path, body: MatrixBodies.push(), host: "push.example.com")
                #expect(answer.status == 200, "\(path): \(answer)")
            }
            #expect(bench.coordinator.submissions.count == 3)
            #expect(try await bench.send("POST", "/_matrix/push/v2/notify").json["errcode"] == "M_UNRECOGNIZED")
            #expect(try await bench.send("POST", "/v1/notifications", body: "{}").status == 401)
            #expect(try await bench.send("GET", "/v1/status").status == 401)
            let wrong = ["Authorization: Bearer wrong"]
            #expect(try await bench.send("POST", MatrixBodies.path, wrong, body: MatrixBodies.push()).status == 401)
            let answer = try await bench.send(
                "POST", MatrixBodies.path, body: MatrixBodies.push(), port: bench.monitoringPort)
            #expect(answer.status == 404)
        }
    }

    @Test func `callers without a token have a share of the queue`() async throws {
        try await Self.run(.init(access: .open, maxOpen: 2)) { bench in
            let device = #"{"app_id":"a","pushkey":"%"}"#
            let devices = ["1", "2", "3"].map { device.replacing("%", with: $0) }
            let body = MatrixBodies.push(devices: "[\(devices.joined(separator: ","))]")
            let refused = try await bench.send("POST", MatrixBodies.path, body: body)
            #expect(refused.status == 429 && refused["retry-after"] == "1", "\(refused)")
            #expect(refused.json["errcode"] == "M_LIMIT_EXCEEDED" && refused.json["retry_after_ms"] == 1_000)
            #expect(bench.coordinator.submissions.count == 2)
            let token = ["Authorization: Bearer token-submit"]
            #expect(try await bench.send("POST", MatrixBodies.path, token, body: body).status == 200)
            bench.coordinator.forgetSubmissions()
            #expect(try await bench.send("POST", MatrixBodies.path, body: MatrixBodies.push()).status == 200)
        }
    }
}
