import FoundationEssentials

/// The reading of a file with public keys in PEM (RFC 7468 §13).
enum PEMKeys {
    typealias Algorithm = VerificationKey.Algorithm
    typealias Unusable = VerificationKeys.Unusable

    static func keys(of text: String, algorithms: [Algorithm]) throws(Unusable) -> [VerificationKey] {
        var keys: [VerificationKey] = []
        var encoded: String?
        for line in text.split(whereSeparator: \.isNewline) {
            switch line {
            case "-----BEGIN PUBLIC KEY-----": encoded = ""
            case "-----END PUBLIC KEY-----":
                guard let bytes = encoded.flatMap({ Data(base64Encoded: $0) }) else {
                    throw Unusable(reason: "a public key is not in Base64")
                }
                let (key, algorithm) = try checked(SignatureKey(subjectPublicKeyInfo: Array(bytes)))
                guard algorithms.isEmpty || algorithms.contains(algorithm) else {
                    throw Unusable(reason: "it has a key for \(algorithm), which algorithms does not list")
                }
                keys.append(VerificationKey(id: nil, algorithm: algorithm, material: .publicKey(key)))
                encoded = nil
            case _ where line.hasPrefix("-----BEGIN "):
                throw Unusable(
                    reason: "it has a block other than PUBLIC KEY: write the public key with openssl pkey -pubout")
            default: encoded?.append(contentsOf: line)
            }
        }
        return keys
    }

    /// Checks the strength of a public key, and returns the key with its algorithm.
    static func checked(_ key: SignatureKey?) throws(Unusable) -> (key: SignatureKey, algorithm: Algorithm) {
        guard let key else { throw Unusable(reason: "a public key is malformed, or is not on its curve") }
        switch key.kind {
        case .p256: return (key, .es256)
        case .ed25519: return (key, .edDSA)
        case .rsa:
            guard key.bitCount >= VerificationKey.leastModulus else {
                throw Unusable(
                    reason:
                        "an RSA key has \(key.bitCount) bits, and RS256 needs at least \(VerificationKey.leastModulus)")
            }
            return (key, .rs256)
        case nil: throw Unusable(reason: "a public key is not for ES256 (P-256), RS256 or EdDSA (Ed25519)")
        }
    }
}
