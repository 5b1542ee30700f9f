import COpenSSL

/// A key with which OpenSSL verifies signatures. libcurl loads OpenSSL in any case.
///
/// The type runs on the calling thread. Any thread may use it, because OpenSSL does not change a key that is in use
/// (openssl-threads(7)).
@safe final class SignatureKey: @unchecked Sendable {
    /// The kinds of public key.
    enum Kind { case rsa, p256, ed25519 }

    private let key: OpaquePointer
    /// The kind of the key; `nil` for other curves and algorithms.
    let kind: Kind?
    /// The length of the modulus or of the order of the curve, in bits.
    let bitCount: Int

    /// Reads a public key (`SubjectPublicKeyInfo`, RFC 5280 §4.1.2.7).
    ///
    /// - Returns: `nil` if the bytes are no public key, or if its point is not on its curve.
    init?(subjectPublicKeyInfo bytes: [UInt8]) {
        let key = unsafe bytes.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return unsafe d2i_PUBKEY(nil, &start, bytes.count)
        }
        guard let key = unsafe key else {
            ERR_clear_error()
            return nil
        }
        unsafe self.key = key
        bitCount = Int(unsafe EVP_PKEY_get_bits(key))
        switch unsafe EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_RSA: kind = .rsa
        case EVP_PKEY_ED25519: kind = .ed25519
        case EVP_PKEY_EC: kind = unsafe Self.groupName(of: key) == "prime256v1" ? .p256 : nil
        default: kind = nil
        }
    }

    deinit { unsafe EVP_PKEY_free(key) }

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
