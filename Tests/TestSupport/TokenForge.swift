package import Base
import COpenSSL
package import FoundationEssentials

/// A key pair of a test, which signs tokens.
package final class TestKey {
    package enum Kind {
        case rsa(bits: Int32)
        case curve(Int32)
        case ed25519
    }

    private let key: OpaquePointer

    package init(_ kind: Kind) {
        var made: OpaquePointer?
        let type: Int32 =
            switch kind {
            case .rsa: EVP_PKEY_RSA
            case .curve: EVP_PKEY_EC
            case .ed25519: EVP_PKEY_ED25519
            }
        let context = EVP_PKEY_CTX_new_id(type, nil)
        EVP_PKEY_keygen_init(context)
        switch kind {
        case .rsa(let bits): EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits)
        case .curve(let name): EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, name)
        case .ed25519: break
        }
        EVP_PKEY_keygen(context, &made)
        EVP_PKEY_CTX_free(context)
        key = made!
    }

    deinit { EVP_PKEY_free(key) }

    /// The public key (`SubjectPublicKeyInfo`) in DER.
    package var information: [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let count = i2d_PUBKEY(key, &start)
        defer { CRYPTO_free(start, "", 0) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    package var pem: String {
        "-----BEGIN PUBLIC KEY-----\n\(Data(information).base64EncodedString())\n-----END PUBLIC KEY-----\n"
    }

    /// Signs bytes in the form that a JSON Web Token has.
    package func signature(of bytes: [UInt8]) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        let isEdwards = EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519
        EVP_DigestSignInit(context, nil, isEdwards ? nil : EVP_sha256(), nil, key)
        var length = 1_024
        var signature = [UInt8](repeating: 0, count: length)
        EVP_DigestSign(context, &signature, &length, bytes, bytes.count)
        signature = Array(signature.prefix(length))
        guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC else { return signature }
        // DER has two integers, each after its length.
        let first = Int(signature[3])
        let numbers = [signature[4..<(4 + first)], signature[(6 + first)...]]
        return numbers.flatMap { number in
            let digits = number.drop { $0 == 0 }
            return [UInt8](repeating: 0, count: 32 - digits.count) + digits
        }
    }
}

/// Tokens of tests, with any header and claims.
package enum TokenForge {
    package static let issuer = "https://id.example.com"
    package static let audience = "appgroupd"
    package static let now = Date(timeIntervalSince1970: 1_800_000_000)
    package static let secret = Array("0123456789abcdef0123456789abcdef".utf8)

    package static let claims: JSONObject = [
        "iss": .string(issuer), "aud": .string(audience), "sub": "gateway-1", "exp": 1_800_000_060,
        "nbf": 1_799_999_940, "groups": ["group.com.example.app"], "scope": "submit read openid",
    ]

    package static func token(
        _ header: JSONObject, _ claims: JSONObject = claims, signature: ([UInt8]) -> [UInt8]
    ) -> String {
        let parts = [header, claims].map { base64URL(JSONWriter.bytes(of: .object($0))) }
        let signed = parts.joined(separator: ".")
        return signed + "." + base64URL(signature(Array(signed.utf8)))
    }

    package static func hmac(_ bytes: [UInt8], _ secret: [UInt8] = secret) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        HMAC(EVP_sha256(), secret, Int32(secret.count), bytes, bytes.count, &code, &length)
        return code
    }

    /// Returns claims with other values. A value of `nil` removes a claim.
    package static func claims(_ changes: [String: JSONValue?]) -> JSONObject {
        var changed = JSONObject()
        for member in claims.members where changes[member.key] == nil { changed.append(member.key, member.value) }
        for (key, value) in changes.sorted(by: { $0.key < $1.key }) {
            if let value { changed.append(key, value) }
        }
        return changed
    }

    /// A JWKS file with one key for each algorithm.
    package static func jwks(rsa: TestKey, p256: TestKey, ed25519: TestKey) -> String {
        let point = p256.information.suffix(64)
        let modulus = rsa.information.dropLast(5).suffix(256)
        let keys: [JSONValue] = [
            ["kty": "oct", "kid": "h", "alg": "HS256", "k": .string(base64URL(secret))],
            [
                "kty": "EC", "kid": "e", "alg": "ES256", "crv": "P-256",
                "x": .string(base64URL(Array(point.prefix(32)))),
                "y": .string(base64URL(Array(point.suffix(32)))),
            ],
            [
                "kty": "RSA", "kid": "r", "alg": "RS256", "n": .string(base64URL(Array(modulus))),
                "e": "AQAB",
            ],
            [
                "kty": "OKP", "kid": "d", "alg": "EdDSA", "crv": "Ed25519",
                "x": .string(base64URL(Array(ed25519.information.suffix(32)))),
            ],
        ]
        return JSONWriter.text(of: ["keys": .array(keys)])
    }

    /// Returns bytes in base64url without padding (RFC 4648 §5).
    package static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().filter { $0 != "=" }
            .map { $0 == "+" ? "-" : $0 == "/" ? "_" : String($0) }.joined()
    }
}
