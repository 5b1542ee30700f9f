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
