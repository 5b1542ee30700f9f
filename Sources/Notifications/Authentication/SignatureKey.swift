import COpenSSL

/// A key with which OpenSSL verifies signatures, or also signs. libcurl loads OpenSSL in any case.
///
/// The type runs on the calling thread. Any thread may use it, because OpenSSL does not change a key that is in use
/// (openssl-threads(7)).
@safe final class SignatureKey: @unchecked Sendable {
    /// The kinds of key.
    enum Kind { case rsa, p256, ed25519 }

    /// The sizes of the keys and of the signatures of Ed25519 (RFC 8032 §5.1.5, §5.1.6), in bytes.
    static let ed25519Bytes = 32
    private static let ed25519SignatureBytes = 64

    private let key: OpaquePointer
    /// The kind of the key; `nil` for other curves and algorithms.
    let kind: Kind?

    /// Takes over a key of OpenSSL; `nil` if OpenSSL has refused to make it.
    private init?(owning key: OpaquePointer?) {
        guard let key = unsafe key else {
            ERR_clear_error()
            return nil
        }
        unsafe self.key = key
        switch unsafe EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_RSA: kind = .rsa
        case EVP_PKEY_ED25519: kind = .ed25519
        case EVP_PKEY_EC: kind = unsafe Self.groupName(of: key) == "prime256v1" ? .p256 : nil
        default: kind = nil
        }
    }

    /// Reads a public key (`SubjectPublicKeyInfo`, RFC 5280 §4.1.2.7).
    ///
    /// - Returns: `nil` if the bytes are no public key, or if its point is not on its curve.
    convenience init?(subjectPublicKeyInfo bytes: [UInt8]) {
        let key = unsafe bytes.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return unsafe d2i_PUBKEY(nil, &start, bytes.count)
        }
        unsafe self.init(owning: key)
    }

    /// Creates a private key of Ed25519.
    ///
    /// - Parameter seed: The 32 bytes of the private key. The result is `nil` for another number of bytes.
    convenience init?(ed25519Seed seed: [UInt8]) {
        guard seed.count == Self.ed25519Bytes else { return nil }
        unsafe self.init(owning: EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count))
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// The length of the modulus or of the order of the curve, in bits.
    var bitCount: Int { Int(unsafe EVP_PKEY_get_bits(key)) }

    /// The 32 bytes of the public key of Ed25519; empty for other kinds.
    var ed25519PublicKey: [UInt8] {
        var (bytes, count) = ([UInt8](repeating: 0, count: Self.ed25519Bytes), Self.ed25519Bytes)
        guard kind == .ed25519, unsafe EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1 else { return [] }
        return bytes
    }

    /// Returns the signature of bytes by a private key of Ed25519. The process ends if OpenSSL has no memory.
    func ed25519Signature(of bytes: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: Self.ed25519SignatureBytes)
        var count = signature.count
        guard let context = unsafe EVP_MD_CTX_new() else { fatalError("OpenSSL has no memory for a signature") }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
            unsafe EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1
        else { fatalError("OpenSSL cannot sign with Ed25519") }
        return signature
    }

    /// Returns whether a signature is valid. RSA (PKCS #1 v1.5) and ECDSA sign the SHA-256 of the bytes.
    ///
    /// - Parameter signature: The signature. For ECDSA it is in DER (RFC 3279 §2.2.3).
    func isValid(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        let digest = unsafe kind == .ed25519 ? nil : EVP_sha256()
        let isValid =
            unsafe EVP_DigestVerifyInit(context, nil, digest, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
        if !isValid { ERR_clear_error() }
        return isValid
    }

    private static func groupName(of key: OpaquePointer) -> String {
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1 else { return "" }
        return String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// HMAC with SHA-256 (RFC 2104).
enum MessageAuthentication {
    /// Returns the 32 bytes of the code of the bytes. The process ends if OpenSSL lacks SHA-256 or has no memory.
    static func code(of bytes: [UInt8], by secret: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        var length: CUnsignedInt = 0
        guard unsafe HMAC(EVP_sha256(), secret, CInt(secret.count), bytes, bytes.count, &code, &length) != nil else {
            fatalError("OpenSSL cannot compute HMAC-SHA256")
        }
        return code
    }

    /// Returns whether a code is the code of the bytes. The comparison takes the same time for each code.
    static func isValid(_ code: [UInt8], of bytes: [UInt8], by secret: [UInt8]) -> Bool {
        let expected = self.code(of: bytes, by: secret)
        return unsafe code.count == expected.count && CRYPTO_memcmp(code, expected, code.count) == 0
    }
}
