import COpenSSL

/// The SHA-256 (FIPS 180-4) of bytes that arrive in pieces, computed by OpenSSL, which libcurl loads in any case.
///
/// A copy shares the state of the original, so the type has no copies.
@safe package struct SHA256: ~Copyable {
    /// An `EVP_MD_CTX`.
    private let context: OpaquePointer

    package init() {
        guard let context = unsafe EVP_MD_CTX_new(), unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            fatalError("OpenSSL has no SHA-256, or no memory")
        }
        unsafe self.context = context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    package mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            _ = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        }
    }

    /// Returns the 32 bytes of the digest.
    package consuming func finalize() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        unsafe EVP_DigestFinal_ex(context, &digest, nil)
        return digest
    }

    /// Returns the 32 bytes of the digest of `bytes`.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes.span)
        return hash.finalize()
    }
}
