import FoundationEssentials
import NotificationModel
import Testing

@testable import Authentication

@Suite struct StaticTokenTests {
    private static func caller(_ name: String) -> Caller { Caller(name: name, groups: .all, scopes: [.submit]) }

    @Test func `a token is made of 32 random bytes, and only its digest is needed`() throws {
        let tokens = Set((0..<100).map { _ in StaticToken.make() })
        #expect(tokens.count == 100)
        #expect(tokens.allSatisfy { $0.hasPrefix("agd_") && $0.count == 47 })
        let digest = TokenDigest(of: "agd_x")
        #expect(TokenDigest(digest.description) == digest)
        #expect(digest.description.hasPrefix("sha256:") && digest.description.count == 71)
        for text in ["", "sha256:", "sha256:00", digest.description.uppercased(), digest.description + "0", "md5:00"] {
            #expect(TokenDigest(text) == nil, "\(text)")
        }
    }

    @Test(
        arguments: [
            ("Bearer two", "b"), ("bearer two", "b"), ("BEARER  two", "b"), ("Bearer one", "a"),
        ])
    func `a known token names its caller`(authorization: String, name: String) throws {
        let tokens = [("one", "a"), ("two", "b"), ("three", "c")].map {
            StaticToken(digest: TokenDigest(of: $0.0), caller: Self.caller($0.1))
        }
        let authenticator = Authenticator(tokens: tokens, issuers: [])
        #expect(try authenticator.caller(authorization: authorization, at: Date()) == Self.caller(name))
    }

    @Test(
        arguments: [
            (nil, .missing), ("", .missing), ("Bearer", .missing), ("Bearer ", .missing), ("Basic b25l", .missing),
            ("one", .missing), ("Bearer on", .invalid), ("Bearer one ", .invalid), ("Bearer one two", .invalid),
            ("Bearer ONE", .invalid),
        ] as [(String?, Authenticator.Refusal)])
    func `another credential is refused`(authorization: String?, refusal: Authenticator.Refusal) {
        let token = StaticToken(digest: TokenDigest(of: "one"), caller: Self.caller("a"))
        #expect(throws: refusal) {
            try Authenticator(tokens: [token], issuers: []).caller(authorization: authorization, at: Date())
        }
        #expect(throws: Authenticator.Refusal.self) {
            try Authenticator(tokens: [], issuers: []).caller(authorization: authorization, at: Date())
        }
    }
}
