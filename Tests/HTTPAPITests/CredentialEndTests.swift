import Authentication
import Base
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

/// Tests of event streams whose token expires or is changed by a reload.
@Suite(.timeLimit(.minutes(1)))
struct CredentialEndTests {
    private static let token = TokenForge.token(
        ["alg": "HS256", "kid": "h"], TokenForge.claims(["scope": "events", "groups": ["*"]])
    ) { TokenForge.hmac($0) }
    private static let paths = ["/v1/events", "/v1/notifications/a/events"]

    private static func issuer(_ secret: [UInt8] = TokenForge.secret) throws -> TokenIssuer {
        let key = #"{"kty":"oct","kid":"h","alg":"HS256","k":"\#(TokenForge.base64URL(secret))"}"#
        return TokenIssuer(
            issuer: TokenForge.issuer, audience: TokenForge.audience,
            keys: try VerificationKeys(Array("{\"keys\":[\(key)]}".utf8), path: "k", algorithms: []))
    }

    private static func fixed(
        _ name: String = "fixed", groups: GroupPermission = .all, scopes: Set<Scope> = [.events], rate: Int? = nil
    ) -> StaticToken {
        StaticToken(
            digest: TokenDigest(of: "token"),
            caller: Caller(name: name, groups: groups, scopes: scopes, limits: CallLimits(rate: rate)))
    }

    /// Opens a stream with a token, and calls a function after its head has arrived.
    private static func stream(
        _ path: String, _ token: String, _ access: AccessControl, clock: ManualClock,
        _ body: (ServerBench, inout RawConnection) async throws -> Void
    ) async throws {
        var settings = HTTPServerSettings()
        settings.needsToken = true
        let coordinator = FakeCoordinator()
        coordinator.set(.running, of: FakeCoordinator.key("a"))
        try await ServerBench.run(settings, coordinator: coordinator, clock: clock, access: access) { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send(
                    "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer \(token)\r\n\r\n"
                )
                let head = try await connection.read(through: "\r\n\r\n")
                try #require(head.hasPrefix("HTTP/1.1 200 "))
                // The comments that keep the stream open, and the end of the token.
                await clock.waitForSleepers(2)
                try await body(bench, &connection)
            }
        }
    }

    private static func expectEnd(_ connection: inout RawConnection) async {
        let rest = await connection.readToEnd()
        #expect(rest.contains(": the token has expired or is no longer permitted\n\n"), "\(rest)")
        #expect(rest.hasSuffix("0\r\n\r\n"), "\(rest)")
    }

    @Test(arguments: paths) func `a stream ends when its token expires`(path: String) async throws {
        let access = AccessControl(Authenticator(tokens: [], issuers: [try Self.issuer()]))
        let clock = ManualClock(date: TokenForge.now)
        try await Self.stream(path, Self.token, access, clock: clock) { _, connection in
            // The token expires after 60 s, and clocks may differ by 30 s.
            clock.advance(by: .seconds(89))
            _ = try await connection.read(through: ":\n\n")
            clock.advance(by: .seconds(1))
            await Self.expectEnd(&connection)
        }
    }

    @Test(arguments: paths) func `a stream ends when its token is removed, and not at any other reload`(
        path: String
    ) async throws {
        let access = AccessControl(Authenticator(tokens: [Self.fixed()], issuers: []))
        try await Self.stream(path, "token", access, clock: ManualClock()) { bench, connection in
            access.change(Authenticator(tokens: [Self.fixed(rate: 7)], issuers: [try Self.issuer()]))
            bench.coordinator.send(.accepted, FakeCoordinator.key("a"), eventID: "1")
            _ = try await connection.read(through: "event: accepted")
            access.change(Authenticator(tokens: [], issuers: [try Self.issuer()]))
            await Self.expectEnd(&connection)
        }
    }

    @Test(
        arguments: [
            fixed("other"), fixed(groups: GroupPermission(names: ["group.a"])), fixed(scopes: [.read]),
        ])
    func `a stream ends when its token gets another name, other groups or another scope`(
        changed: StaticToken
    ) async throws {
        let access = AccessControl(Authenticator(tokens: [Self.fixed()], issuers: []))
        try await Self.stream("/v1/events", "token", access, clock: ManualClock()) { _, connection in
            access.change(Authenticator(tokens: [changed], issuers: []))
            await Self.expectEnd(&connection)
        }
    }

    @Test func `a stream ends when the key of its token is replaced`() async throws {
        let access = AccessControl(Authenticator(tokens: [], issuers: [try Self.issuer()]))
        let clock = ManualClock(date: TokenForge.now)
        try await Self.stream("/v1/events", Self.token, access, clock: clock) { _, connection in
            let other = Array("another secret of 32 bytes or so".utf8)
            access.change(Authenticator(tokens: [], issuers: [try Self.issuer(other)]))
            await Self.expectEnd(&connection)
        }
    }

    @Test func `a token that expires in the remote future does not end its stream`() async throws {
        let token = TokenForge.token(
            ["alg": "HS256", "kid": "h"],
            TokenForge.claims(["scope": "events", "groups": ["*"], "exp": .number(JSONNumber(1e300))])
        ) { TokenForge.hmac($0) }
        let access = AccessControl(Authenticator(tokens: [], issuers: [try Self.issuer()]))
        let clock = ManualClock(date: TokenForge.now)
        try await Self.stream("/v1/events", token, access, clock: clock) { _, connection in
            clock.advance(by: .seconds(86_401))
            await clock.waitForSleepers(2)
            clock.advance(by: .seconds(15))
            _ = try await connection.read(through: ":\n\n")
        }
    }
}
