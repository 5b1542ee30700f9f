import COpenSSL
import TestSupport
import Testing

@testable import Authentication

@Suite struct KeyFileTests {
    @Test(
        arguments: [
            ("", "neither PEM nor JSON"), ("[]", "object with the array"), (#"{"keys":[]}"#, "no key that can be used"),
            (#"{"keys":[{"kty":"oct","kid":"a","k":"AAAA"}]}"#, "it has no alg"),
            (#"{"keys":[{"kty":"oct","kid":"a","alg":"HS256","k":"AAAA"}]}"#, "needs at least 32"),
            (#"{"keys":[{"kty":"oct","kid":"","alg":"HS256","k":"AAAA"}]}"#, "must have 1 to 256 bytes"),
            (#"{"keys":[{"kty":"oct","kid":7,"alg":"HS256","k":"AAAA"}]}"#, "must have 1 to 256 bytes"),
            (#"{"keys":[{"kid":"a","alg":"HS256"},7]}"#, "it has no kty"),
            (#"{"keys":[{"kty":"oct","kid":"a","alg":"HS256"}]}"#, "k must be"),
            (#"{"keys":[{"kty":"oct","kid":"a","alg":"HS256","k":"$"}]}"#, "k must be"),
            (#"{"keys":[{"kty":"oct","kid":"a","alg":"RS256","k":"AAAA"}]}"#, "no key that can be used"),
            (#"{"keys":[{"kty":"oct","kid":"a","use":"enc","alg":"HS256","k":"AAAA"}]}"#, "no key that can be used"),
            (#"{"keys":[{"kty":"EC","crv":"P-384","kid":"a","alg":"ES384"}]}"#, "no key that can be used"),
            (#"{"keys":[{"kty":"EC","crv":"P-256","kid":"a","alg":"ES256","x":"AAAA","y":"AAAA"}]}"#, "32 bytes"),
            (
                #"{"keys":[{"kty":"EC","crv":"P-256","kid":"a","alg":"ES256","x":"\#(ones)","y":"\#(ones)"}]}"#,
                "not on its curve"
            ),
            (#"{"keys":[{"kty":"RSA","kid":"a","alg":"RS256","n":"_____w","e":"AQAB"}]}"#, "needs at least 2048"),
            ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "openssl pkey -pubout"),
            ("-----BEGIN PUBLIC KEY-----\n$$$$\n-----END PUBLIC KEY-----\n", "not in Base64"),
            ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "malformed"),
        ])
    func `a file without usable keys is refused with its reason`(text: String, reason: String) {
        let error = #expect(throws: VerificationKeys.Unusable.self) {
            try VerificationKeys(Array(text.utf8), path: "keys", algorithms: [])
        }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "no error") for \(text)")
    }

    private static let ones = String(repeating: "E", count: 42) + "A"

    @Test func `the kind of a key in PEM is its algorithm`() throws {
        for (kind, algorithm) in [
            (TestKey.Kind.rsa(bits: 2_048), VerificationKey.Algorithm.rs256), (.curve(NID_X9_62_prime256v1), .es256),
            (.ed25519, .edDSA),
        ] {
            let pem = Array(TestKey(kind).pem.utf8)
            #expect(try VerificationKeys(pem, path: "k", algorithms: []).keys.map(\.algorithm) == [algorithm])
            #expect(throws: VerificationKeys.Unusable.self) {
                try VerificationKeys(pem, path: "k", algorithms: [.hs256])
            }
        }
        for kind in [TestKey.Kind.rsa(bits: 1_024), .curve(NID_secp384r1)] {
            #expect(throws: VerificationKeys.Unusable.self) {
                try VerificationKeys(Array(TestKey(kind).pem.utf8), path: "k", algorithms: [])
            }
        }
    }

    /// A secret of HS256 that can be used.
    private static func good(_ rest: String = #","kid":"good""#) -> String {
        #"{"kty":"oct","alg":"HS256","k":"\#(Base64URL.text(of: TokenForge.secret))"\#(rest)}"#
    }

    @Test(arguments: [
        (#"{"kty":"oct","kid":"good","alg":"HS256","k":"\#(Base64URL.text(of: TokenForge.secret))"}"#, "same kid"),
        (
            #"{"kty":"RSA","kid":"r0","alg":"RS256","n":"_____w","e":"AQAB"}"#,
            #"keys[1] (RSA, kid "r0") is ignored: an RSA"#
        ),
        (#"{"kty":"oct","kid":"a","alg":"HS256","k":"c2VjcmV0"}"#, "the secret has 6 bytes"),
        (#"{"kty":"oct","kid":"a","alg":"HS256"}"#, "k must be"), (#"{"kid":"a","alg":"HS256"}"#, "(without kty, kid"),
        (#"{"kty":"oct","kid":"a","k":"AAAA"}"#, "it has no alg"), ("7", "it has no kty"), ("null", "it has no kty"),
        (#"{"kty":"EC","crv":"P-256","kid":"a","alg":"ES256","x":"AAAA","y":"AAAA"}"#, "x must be 32 bytes"),
        (#"{"kty":"OKP","crv":"Ed25519","kid":"a\u001b","alg":"EdDSA"}"#, "U+001B"),
        (#"{"kty":"oct","kid":"","alg":"HS256","k":"AAAA"}"#, "its kid"),
    ])
    func `a key that cannot be used is ignored with its reason, beside one that can`(entry: String, reason: String)
        throws
    {
        for keys in ["\(Self.good()),\(entry)", "\(entry),\(Self.good())"] {
            let set = try VerificationKeys(Array(#"{"keys":[\#(keys)]}"#.utf8), path: "k", algorithms: [])
            #expect(set.keys.map(\.id) == ["good"])
            #expect(set.ignored.count == 1)
            guard keys.hasPrefix(Self.good()) else { continue }
            #expect(set.ignored.first?.contains(reason) == true, "\(set.ignored)")
            #expect(set.ignored.allSatisfy { !$0.contains("c2VjcmV0") && !$0.contains("_____w") })
        }
    }

    @Test(arguments: [
        #"{"kty":"EC","crv":"P-384","kid":"a","alg":"ES384"}"#, #"{"kty":"AKP","kid":"a","alg":"ML-DSA-44"}"#,
        #"{"kty":"oct","kid":"a","use":"enc","k":"AAAA"}"#, #"{"kty":"oct","kid":"a","alg":"HS512","k":"AAAA"}"#,
        #"{"kty":"RSA","kid":"a","key_ops":["encrypt"],"n":"AAAA"}"#,
    ])
    func `a key for another use or algorithm is left out without a word`(entry: String) throws {
        let text = #"{"keys":[\#(entry),\#(Self.good())]}"#
        let set = try VerificationKeys(Array(text.utf8), path: "k", algorithms: [])
        #expect(set.keys.map(\.id) == ["good"] && set.ignored.isEmpty)
    }

    @Test func `a key without kid is used alone, and is ignored beside others`() throws {
        let alone = try VerificationKeys(Array(#"{"keys":[\#(Self.good(""))]}"#.utf8), path: "k", algorithms: [])
        #expect(alone.keys.count == 1 && alone.ignored.isEmpty)
        let beside = #"{"keys":[\#(Self.good("")),\#(Self.good())]}"#
        let set = try VerificationKeys(Array(beside.utf8), path: "k", algorithms: [])
        #expect(set.keys.map(\.id) == ["good"] && set.ignored.count == 1 && set.unnamed == nil)
        #expect(set.ignored.allSatisfy { $0.contains("it has no kid, and the set has several keys") })
        let both = #"{"keys":[\#(Self.good("")),\#(Self.good(""))]}"#
        #expect(throws: VerificationKeys.Unusable.self) {
            try VerificationKeys(Array(both.utf8), path: "k", algorithms: [])
        }
    }

    @Test func `Ed25519 is another name of EdDSA`() throws {
        let point = Base64URL.text(of: Array(TestKey(.ed25519).information.suffix(32)))
        for name in ["EdDSA", "Ed25519"] {
            let key = #"{"kty":"OKP","crv":"Ed25519","kid":"a","alg":"\#(name)","x":"\#(point)"}"#
            let set = try VerificationKeys(Array(#"{"keys":[\#(key)]}"#.utf8), path: "k", algorithms: [])
            #expect(set.keys.map(\.algorithm) == [.edDSA])
        }
    }

    @Test func `keys are equal only if the content of their file is equal`() throws {
        func keys(_ id: String) throws -> VerificationKeys {
            let key = #"{"kty":"oct","kid":"\#(id)","alg":"HS256","k":"\#(Base64URL.text(of: TokenForge.secret))"}"#
            return try VerificationKeys(Array(#"{"keys":[\#(key)]}"#.utf8), path: "k", algorithms: [])
        }
        #expect(try keys("a") == keys("a"))
        #expect(try keys("a") != keys("b"))
    }
}
