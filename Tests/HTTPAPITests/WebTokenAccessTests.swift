import Authentication
import Base
import FoundationEssentials
import HTTPTypes
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

/// Each route with each kind of JSON Web Token.
@Suite(.timeLimit(.minutes(1)))
struct WebTokenAccessTests {
    private static let group = "group.com.example.app"
    private static let streams: Set<String> = ["streamEvents", "warmMedia"]

    /// The keys of an issuer: a secret with the `kid` h, and an RSA key with the `kid` r.
    private struct Keys: @unchecked Sendable {
        let rsa = TestKey(.rsa(bits: 2_048))

        func issuer(secrets: [String: [UInt8]] = ["h": TokenForge.secret]) throws -> TokenIssuer {
            let modulus = TokenForge.base64URL(Array(rsa.information.dropLast(5).suffix(256)))
            // The algorithm of this key comes from the configuration, and not from the first token.
            let keys =
                [#"{"kty":"RSA","kid":"r","n":"\#(modulus)","e":"AQAB"}"#]
                + secrets.map {
                    #"{"kty":"oct","kid":"\#($0.key)","alg":"HS256","k":"\#(TokenForge.base64URL($0.value))"}"#
                }
            return TokenIssuer(
                issuer: TokenForge.issuer, audience: TokenForge.audience,
                keys: try VerificationKeys(
                    Array("{\"keys\":[\(keys.joined(separator: ","))]}".utf8), path: "k", algorithms: [.hs256, .rs256]),
                algorithms: [.hs256, .rs256])
        }

        func sign(_ bytes: [UInt8]) -> [UInt8] { rsa.signature(of: bytes) }
    }

    private static let keys = Keys()
    private static let scopes = Scope.allCases.map(\.rawValue).joined(separator: " ")

    private static func claims(_ changes: [String: JSONValue?] = [:]) -> JSONObject {
        TokenForge.claims(
            ["scope": .string(scopes), "groups": [.string(group)]].merging(changes) { _, changed in changed })
    }

    private static func token(_ changes: [String: JSONValue?] = [:], _ header: JSONObject = header("HS256", "h"))
        -> String
    {
        TokenForge.token(header, claims(changes)) { TokenForge.hmac($0) }
    }

    private static func header(_ algorithm: String, _ id: String) -> JSONObject {
        ["alg": .string(algorithm), "kid": .string(id)]
    }

    /// Tokens that are not valid, by the attack.
    private static var refused: [(name: String, token: String)] {
        let good = token()
        return [
            ("expired", token(["exp": 1_799_999_969])), ("not yet valid", token(["nbf": 1_800_000_031])),
            ("forged signature", good.dropLast(4) + "AAAA"),
            (
                "forged with another secret",
                TokenForge.token(header("HS256", "h"), claims()) {
                    TokenForge.hmac($0, Array("another secret of 32 bytes or so".utf8))
                }
            ),
            ("alg none", TokenForge.token(header("none", "h"), claims()) { _ in [] }),
            (
                "public key as secret",
                TokenForge.token(header("HS256", "r"), claims()) {
                    TokenForge.hmac($0, Array(keys.rsa.pem.utf8))
                }
            ),
            ("RS256 with the kid of a secret", TokenForge.token(header("RS256", "h"), claims()) { keys.sign($0) }),
            ("unknown kid", token([:], header("HS256", "x"))),
            ("first token with another algorithm", TokenForge.token(header("RS512", "r"), claims()) { keys.sign($0) }),
            ("empty aud", token(["aud": []])), ("another aud", token(["aud": "other"])),
            ("another issuer", token(["iss": "https://evil.example"])), ("no exp", token(["exp": nil])),
        ]
    }

    private static func run(
        _ access: AccessControl, clock: ManualClock = ManualClock(date: TokenForge.now),
        _ body: @Sendable (ServerBench) async throws -> Void
    ) async throws {
        var settings = HTTPServerSettings()
        settings.needsToken = true
        try await ServerBench.run(settings, clock: clock, access: access, body)
    }

    private static func send(_ route: Route, _ token: String, to bench: ServerBench, group: String = "group.default")
        async throws -> RawAnswer
    {
        let path = route.path.sample
        let takesGroup = route.parameters?.contains { $0.name == "group" } == true
        let body =
            route.operation == "submitNotification" ? "{}" : route.operation == "purgeCache" ? #"{"host":"a"}"# : ""
        return try await bench.send(
            route.method.rawValue, path + (takesGroup ? "?group=\(group)" : ""),
            ["Authorization: Bearer \(token)", "Prefer: respond-async"], body: body)
    }

    @Test func `each route refuses each token that is not valid, and then accepts valid tokens`() async throws {
        let access = AccessControl(Authenticator(tokens: [], issuers: [try Self.keys.issuer()]))
        let valid = [
            Self.token(), TokenForge.token(Self.header("RS256", "r"), Self.claims()) { Self.keys.sign($0) },
        ]
        try await Self.run(access) { bench in
            for route in ServerBench.table.routes where route.scope != nil {
                for (name, token) in Self.refused {
                    let answer = try await Self.send(route, token, to: bench, group: Self.group)
                    #expect(answer.status == 401, "\(route.operation) \(name) \(answer.head)")
                    #expect(answer["www-authenticate"]?.contains("error=\"invalid_token\"") == true)
                }
                guard !Self.streams.contains(route.operation) else { continue }
                for token in valid {
                    let answer = try await Self.send(route, token, to: bench, group: Self.group)
                    // These calls concern all groups.
                    let expected = [
                        "purgeCache", "getHosts", "getSamples", "listCallbackTargets", "recoverCallbackTarget",
                        "disableCallbackTarget", "getMetrics",
                    ].contains(route.operation)
                    #expect(answer.status != 401, "\(route.operation) \(answer.head)")
                    #expect((answer.status == 403) == expected, "\(route.operation) \(answer.head)")
                }
            }
            #expect(bench.coordinator.submissions.count == 2)
        }
    }

    @Test func `each route with a group refuses the groups that a token does not permit`() async throws {
        let access = AccessControl(Authenticator(tokens: [], issuers: [try Self.keys.issuer()]))
        try await Self.run(access) { bench in
            let takesGroup = { (route: Route) in
                route.parameters?.contains { $0.name == "group" && $0.place == .query } == true
            }
            for route in ServerBench.table.routes where takesGroup(route) {
                for group in ["group.default", "group.other"] {
                    let answer = try await Self.send(route, Self.token(), to: bench, group: group)
                    #expect([403, 404].contains(answer.status), "\(route.operation) \(group) \(answer.head)")
                }
            }
            #expect(bench.coordinator.submissions.isEmpty)
        }
    }

    @Test func `a token that is sent again is valid until it expires, and not after a rotation of its key`()
        async throws
    {
        let access = AccessControl(Authenticator(tokens: [], issuers: [try Self.keys.issuer()]))
        let clock = ManualClock(date: TokenForge.now)
        let second = Array("another secret of 32 bytes or so".utf8)
        let other = TokenForge.token(Self.header("HS256", "n"), Self.claims(["exp": 1_900_000_000])) {
            TokenForge.hmac($0, second)
        }
        let long = Self.token(["exp": 1_900_000_000])
        try await Self.run(access, clock: clock) { bench in
            func status(_ token: String) async throws -> Int {
                try await bench.send("GET", "/v1/status", ["Authorization: Bearer \(token)"]).status
            }
            for _ in 0..<2 { #expect(try await status(Self.token()) == 200) }
            clock.advance(by: .seconds(90))
            for _ in 0..<2 { #expect(try await status(Self.token()) == 401) }
            for (secrets, expected) in [
                (["h": TokenForge.secret], [200, 401]), (["h": TokenForge.secret, "n": second], [200, 200]),
                (["n": second], [401, 200]),
            ] {
                access.change(Authenticator(tokens: [], issuers: [try Self.keys.issuer(secrets: secrets)]))
                for _ in 0..<2 { #expect(try await [status(long), status(other)] == expected) }
            }
        }
    }
}
