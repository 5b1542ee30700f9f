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
            guard key.bitCount >= VerificationKey.minModulus else {
                throw Unusable(
                    reason:
                        "an RSA key has \(key.bitCount) bits, and RS256 needs at least \(VerificationKey.minModulus)")
            }
            return (key, .rs256)
        case nil: throw Unusable(reason: "a public key is not for ES256 (P-256), RS256 or EdDSA (Ed25519)")
        }
    }
}

/// The encoding of the few values of ASN.1 (ITU-T X.690, DER) that public keys and signatures consist of.
enum DER {
    /// Returns an integer of big-endian bytes without a sign.
    static func integer(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let digits = bytes.drop { $0 == 0 }
        // A first bit of 1 would make the number negative.
        return element(2, (digits.first ?? 0x80) & 0x80 != 0 ? [0] + digits : Array(digits))
    }

    static func sequence(_ elements: [UInt8]...) -> [UInt8] { element(0x30, elements.flatMap(\.self)) }

    /// Returns the `SubjectPublicKeyInfo` of a key: its algorithm, and its bytes as a bit string.
    static func publicKey(_ algorithm: [UInt8], _ key: [UInt8]) -> [UInt8] {
        sequence(algorithm, element(3, [0] + key))
    }

    /// The identifier of RSA keys (RFC 3279 §2.3.1).
    static let rsa = sequence(element(6, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1]), element(5, []))
    /// The identifier of keys on the curve P-256 (RFC 5480 §2.1.1).
    static let p256 = sequence(
        element(6, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1]), element(6, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7]))
    /// The identifier of keys for Ed25519 (RFC 8410 §3).
    static let ed25519 = sequence(element(6, [0x2B, 0x65, 0x70]))

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            count < 0x80
            ? [UInt8(count)]
            : count < 0x100
                ? [0x81, UInt8(count)]
                : [0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        return [tag] + length + content
    }
}
