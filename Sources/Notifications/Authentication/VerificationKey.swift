import Base

/// A key that verifies the JSON Web Tokens of one issuer.
package struct VerificationKey: Sendable {
    /// The algorithms of RFC 7518 and RFC 8037 that are supported.
    package enum Algorithm: String, Sendable, CaseIterable, CustomStringConvertible {
        /// HMAC with SHA-256 and a secret that the issuer and this daemon share.
        case hs256 = "HS256"
        /// ECDSA with P-256 and SHA-256.
        case es256 = "ES256"
        /// RSA PKCS #1 v1.5 with SHA-256.
        case rs256 = "RS256"
        /// Ed25519.
        case edDSA = "EdDSA"

        package var description: String { rawValue }

        /// The values of `alg` that mean the algorithm. RFC 9864 gives EdDSA with Ed25519 a name of its own.
        var names: [String] { self == .edDSA ? [rawValue, "Ed25519"] : [rawValue] }
    }

    enum Material: Sendable {
        case secret([UInt8])
        case publicKey(SignatureKey)
    }

    /// The shortest secret of HS256, in bytes (RFC 7518 §3.2).
    static let minSecret = 32
    /// The shortest modulus of RS256, in bits (RFC 7518 §3.3).
    static let minModulus = 2_048

    /// The `kid` of the key; `nil` for a key of a PEM file.
    package let id: String?
    package let algorithm: Algorithm
    let material: Material

    func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        switch material {
        case .secret(let secret): return MessageAuthentication.isValid(signature, of: bytes, by: secret)
        case .publicKey(let key):
            guard algorithm == .es256 else { return key.isValid(signature, of: bytes) }
            // A token has the two numbers of the signature in 32 bytes each (RFC 7518 §3.4).
            guard signature.count == 64 else { return false }
            let numbers = DER.sequence(DER.integer(signature[..<32]), DER.integer(signature[32...]))
            return key.isValid(numbers, of: bytes)
        }
    }
}

/// The keys of one issuer, from a JWKS file (RFC 7517 §5) or from a file with public keys in PEM.
package struct VerificationKeys: Sendable, Equatable {
    /// The reason for which a file cannot be used, and the remedy.
    package struct Unusable: Error, Sendable, Equatable {
        package var reason: String

        package init(reason: String) { self.reason = reason }
    }

    package let path: String
    package let keys: [VerificationKey]
    /// The key of tokens without `kid`: the only key of the file that can be used; `nil` if it has several.
    let unnamed: VerificationKey?
    /// A sentence about each key of the file that verifies no token.
    package let ignored: [String]
    /// The digest of the file, which tells a reload whether the keys have changed.
    private let digest: TokenDigest

    /// Reads the content of a file.
    ///
    /// - Parameter algorithms: The permitted algorithms; empty if each key names its algorithm.
    package init(
        _ bytes: [UInt8], path: String, algorithms: [VerificationKey.Algorithm]
    ) throws(Unusable) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Unusable(reason: "it is not text in UTF-8")
        }
        self.path = path
        digest = TokenDigest(of: text)
        guard text.contains("-----BEGIN ") else {
            let found = try JWKSKeys.keys(of: bytes, algorithms: algorithms)
            ignored = found.ignored
            unnamed = found.keys.count == 1 ? found.keys[0] : nil
            keys = found.keys.count == 1 ? found.keys : found.keys.filter { $0.id != nil }
            guard keys.isEmpty else { return }
            throw Unusable(reason: ([Self.empty] + ignored.prefix(Self.maxNamed)).joined(separator: "; "))
        }
        (keys, ignored) = (try PEMKeys.keys(of: text, algorithms: algorithms), [])
        unnamed = keys.count == 1 ? keys[0] : nil
        guard !keys.isEmpty else { throw Unusable(reason: Self.empty) }
        var seen: Set<VerificationKey.Algorithm> = []
        for key in keys where !seen.insert(key.algorithm).inserted {
            throw Unusable(
                reason: "it has two keys for \(key.algorithm): use a JWKS file, in which each key has its kid")
        }
    }

    private static let empty = "it has no key that can be used: put a key for HS256, ES256, RS256 or EdDSA into it"
    /// The maximum number of ignored keys that a refusal names.
    private static let maxNamed = 4

    package static func == (one: VerificationKeys, other: VerificationKeys) -> Bool {
        one.path == other.path && one.digest == other.digest
    }

    /// Whether a key also signs tokens, so that other users must not read the file.
    package var containSecrets: Bool { keys.contains { $0.algorithm == .hs256 } }
}
