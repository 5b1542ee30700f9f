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
            (#"{"keys":[{"kty":"oct","alg":"HS256","k":"AAAA"}]}"#, "needs a kid"),
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

    @Test func `two keys with the same kid are refused`() {
        let key = #"{"kty":"oct","kid":"a","alg":"HS256","k":"\#(Base64URL.text(of: TokenForge.secret))"}"#
        let error = #expect(throws: VerificationKeys.Unusable.self) {
            try VerificationKeys(Array(#"{"keys":[\#(key),\#(key)]}"#.utf8), path: "k", algorithms: [])
        }
        #expect(error?.reason.contains("two keys have the kid 'a'") == true)
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
