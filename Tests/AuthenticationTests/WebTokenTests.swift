import Base
import COpenSSL
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import Authentication

@Suite struct WebTokenTests {
    private static let rsa = nonisolatedKey(.rsa(bits: 2_048))
    private static let p256 = nonisolatedKey(.curve(NID_X9_62_prime256v1))
    private static let ed25519 = nonisolatedKey(.ed25519)

    /// A key of all tests. Making an RSA key takes 100 ms.
    private struct SharedKey: @unchecked Sendable {
        let key: TestKey
    }

    private static func nonisolatedKey(_ kind: TestKey.Kind) -> SharedKey { SharedKey(key: TestKey(kind)) }

    private static func authenticator(_ file: String? = nil, algorithms: [VerificationKey.Algorithm] = []) throws
        -> Authenticator
    {
        let text = file ?? TokenForge.jwks(rsa: rsa.key, p256: p256.key, ed25519: ed25519.key)
        let keys = try VerificationKeys(Array(text.utf8), path: "jwks.json", algorithms: algorithms)
        return Authenticator(
            tokens: [],
            issuers: [
                TokenIssuer(
                    issuer: TokenForge.issuer, audience: TokenForge.audience, keys: keys, algorithms: algorithms)
            ])
    }

    private static func signature(_ algorithm: String, _ bytes: [UInt8]) -> [UInt8] {
        switch algorithm {
        case "HS256": TokenForge.hmac(bytes)
        case "ES256": p256.key.signature(of: bytes)
        case "RS256": rsa.key.signature(of: bytes)
        default: ed25519.key.signature(of: bytes)
        }
    }

    private static func token(_ algorithm: String, _ id: String, _ claims: JSONObject = TokenForge.claims) -> String {
        TokenForge.token(["alg": .string(algorithm), "kid": .string(id)], claims) { signature(algorithm, $0) }
    }

    @Test(arguments: [("HS256", "h"), ("ES256", "e"), ("RS256", "r"), ("EdDSA", "d"), ("Ed25519", "d")])
    func `a signed token names its caller, and no changed token does`(algorithm: String, id: String) throws {
        let authenticator = try Self.authenticator()
        let token = Self.token(algorithm, id)
        for _ in 0..<2 {
            let caller = try authenticator.caller(authorization: "Bearer \(token)", at: TokenForge.now)
            #expect(caller.name == "https://id.example.com gateway-1")
            #expect(caller.scopes == [.submit, .read])
            #expect(caller.groups == GroupPermission(names: ["group.com.example.app"]))
        }
        // Each part of the token is changed, one character at a time.
        for index in token.indices where token[index] != "." {
            let other: Character = token[index] == "A" ? "B" : "A"
            let changed = token.replacingCharacter(at: index, with: other)
            #expect(throws: Authenticator.Refusal.invalid, "\(index)") {
                try authenticator.caller(authorization: "Bearer \(changed)", at: TokenForge.now)
            }
        }
    }

    @Test(
        arguments: [
            ("alg none", ["alg": "none", "kid": "h"]), ("alg none without kid", ["alg": "none"]),
            ("another kid", ["alg": "HS256", "kid": "x"]), ("no kid with several keys", ["alg": "HS256"]),
            ("the kid of another algorithm", ["alg": "HS256", "kid": "r"]),
            ("another algorithm for the key", ["alg": "HS512", "kid": "h"]),
            ("a key in the header", ["alg": "HS256", "kid": "h", "jwk": ["kty": "oct", "k": "AAAA"]]),
            ("a URL of keys", ["alg": "HS256", "kid": "h", "jku": "https://evil.example/jwks.json"]),
            ("a URL of a certificate", ["alg": "HS256", "kid": "h", "x5u": "https://evil.example/x"]),
            ("a critical extension", ["alg": "HS256", "kid": "h", "crit": ["exp"]]),
            ("a kid that is a number", ["alg": "HS256", "kid": 1]), ("no algorithm", ["kid": "h"]),
        ] as [(String, JSONObject)])
    func `a header that chooses its own rules is refused`(name: String, header: JSONObject) throws {
        let token = TokenForge.token(header) { TokenForge.hmac($0) }
        #expect(throws: Authenticator.Refusal.invalid, "\(name)") {
            try Self.authenticator().caller(authorization: "Bearer \(token)", at: TokenForge.now)
        }
    }

    @Test func `a public key is no secret of HS256`() throws {
        for file in [
            Self.rsa.key.pem, TokenForge.jwks(rsa: Self.rsa.key, p256: Self.p256.key, ed25519: Self.ed25519.key),
        ] {
            let authenticator = try Self.authenticator(file)
            for secret in [Array(Self.rsa.key.pem.utf8), Self.rsa.key.information] {
                for header in [["alg": "HS256", "kid": "r"], ["alg": "HS256"]] as [JSONObject] {
                    let token = TokenForge.token(header) { TokenForge.hmac($0, secret) }
                    #expect(throws: Authenticator.Refusal.invalid) {
                        try authenticator.caller(authorization: "Bearer \(token)", at: TokenForge.now)
                    }
                }
            }
        }
    }

    @Test func `the algorithm of the first token does not become the algorithm of the key`() throws {
        let modulus = Base64URL.text(of: Array(Self.rsa.key.information.dropLast(5).suffix(256)))
        let file = #"{"keys":[{"kty":"RSA","kid":"r","n":"\#(modulus)","e":"AQAB"}]}"#
        let authenticator = try Self.authenticator(file, algorithms: [.rs256])
        for algorithm in ["RS512", "PS256", "HS256", "none"] {
            let forged = TokenForge.token(["alg": .string(algorithm), "kid": "r"]) { _ in [1, 2, 3] }
            #expect(throws: Authenticator.Refusal.invalid) {
                try authenticator.caller(authorization: "Bearer \(forged)", at: TokenForge.now)
            }
        }
        #expect(throws: Never.self) {
            try authenticator.caller(authorization: "Bearer \(Self.token("RS256", "r"))", at: TokenForge.now)
        }
    }

    @Test(
        arguments: [
            ("exp is 29 s ago", ["exp": 1_799_999_971], true), ("exp is 30 s ago", ["exp": 1_799_999_970], false),
            ("no exp", ["exp": nil], false), ("exp is a text", ["exp": "1800000060"], false),
            ("nbf is 30 s ahead", ["nbf": 1_800_000_030], true), ("nbf is 31 s ahead", ["nbf": 1_800_000_031], false),
            ("no nbf", ["nbf": nil], true), ("nbf is a text", ["nbf": "0"], false),
            ("another audience", ["aud": "other"], false), ("an empty audience", ["aud": []], false),
            ("several audiences", ["aud": ["other", "appgroupd"]], true), ("no audience", ["aud": nil], false),
            ("an audience with numbers", ["aud": [1, 2]], false), ("another issuer", ["iss": "https://x"], false),
            ("the issuer with a slash", ["iss": "https://id.example.com/"], false), ("no issuer", ["iss": nil], false),
            ("no subject", ["sub": nil], false), ("an empty subject", ["sub": ""], false),
            ("a long subject", ["sub": .string(String(repeating: "s", count: 257))], false),
            ("no groups and no scopes", ["groups": nil, "scope": nil], true),
        ] as [(String, [String: JSONValue?], Bool)])
    func `the claims decide whether a signed token is valid`(
        name: String, changes: [String: JSONValue?], isValid: Bool
    ) throws {
        let token = Self.token("HS256", "h", TokenForge.claims(changes))
        let caller = try? Self.authenticator().caller(authorization: "Bearer \(token)", at: TokenForge.now)
        #expect((caller != nil) == isValid, "\(name)")
        if changes["groups"] != nil {
            #expect(caller?.groups.contains(.default) == false)
            #expect(caller?.scopes == [])
        }
    }

    @Test func `a remembered token expires with its own time`() throws {
        let authenticator = try Self.authenticator()
        let authorization = "Bearer \(Self.token("ES256", "e"))"
        #expect(throws: Never.self) { try authenticator.caller(authorization: authorization, at: TokenForge.now) }
        #expect(throws: Never.self) {
            try authenticator.caller(authorization: authorization, at: TokenForge.now.addingTimeInterval(89))
        }
        #expect(throws: Authenticator.Refusal.invalid) {
            try authenticator.caller(authorization: authorization, at: TokenForge.now.addingTimeInterval(90))
        }
    }

    @Test func `both keys are valid during a rotation, and only the new key after it`() throws {
        let old = TokenForge.token(["alg": "HS256", "kid": "old"]) { TokenForge.hmac($0) }
        let secret = Array("another secret of 32 bytes or so".utf8)
        let new = TokenForge.token(["alg": "HS256", "kid": "new"]) { TokenForge.hmac($0, secret) }
        func key(_ id: String, _ secret: [UInt8]) -> String {
            #"{"kty":"oct","alg":"HS256","kid":"\#(id)","k":"\#(Base64URL.text(of: secret))"}"#
        }
        let keys = [key("old", TokenForge.secret), key("new", secret)]
        let both = try Self.authenticator(#"{"keys":[\#(keys.joined(separator: ","))]}"#)
        let last = try Self.authenticator(#"{"keys":[\#(keys[1])]}"#)
        for (authenticator, token, isValid) in [
            (both, old, true), (both, new, true), (last, old, false), (last, new, true),
        ] {
            let caller = try? authenticator.caller(authorization: "Bearer \(token)", at: TokenForge.now)
            #expect((caller != nil) == isValid)
        }
    }

    @Test(arguments: ["", ".", "..", "a.b.c", "e30.e30.", "e30.e30", "e30.e30.e30.e30", "W10.W10.AAAA", "🙂.🙂.🙂"])
    func `a malformed token is refused`(token: String) throws {
        let refusal: Authenticator.Refusal = token.isEmpty ? .missing : .invalid
        #expect(throws: refusal) {
            try Self.authenticator().caller(authorization: "Bearer \(token)", at: TokenForge.now)
        }
    }

    @Test func `a claim that occurs twice is refused`() throws {
        let header = Base64URL.text(of: Array(#"{"alg":"HS256","kid":"h"}"#.utf8))
        let claims = JSONWriter.text(of: .object(TokenForge.claims)).dropLast() + #","sub":"root"}"#
        let signed = header + "." + Base64URL.text(of: Array(claims.utf8))
        let token = signed + "." + Base64URL.text(of: TokenForge.hmac(Array(signed.utf8)))
        #expect(throws: Authenticator.Refusal.invalid) {
            try Self.authenticator().caller(authorization: "Bearer \(token)", at: TokenForge.now)
        }
    }
}

extension String {
    fileprivate func replacingCharacter(at index: Index, with character: Character) -> String {
        String(self[..<index]) + String(character) + String(self[self.index(after: index)...])
    }
}
