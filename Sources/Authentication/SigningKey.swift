import COpenSSL

/// A private key of Ed25519 (RFC 8032), with which OpenSSL signs.
///
/// The type runs on the calling thread. Any thread may use it, because OpenSSL does not change a key that is in use
/// (openssl-threads(7)).
@safe final class SigningKey: @unchecked Sendable {
    static let seedBytes = 32
    private static let signatureBytes = 64

    private let key: OpaquePointer
    /// The 32 bytes of the public key.
    let publicKey: [UInt8]

    /// - Parameter seed: The 32 bytes of the private key. The result is `nil` for another number of bytes.
    init?(seed: [UInt8]) {
        guard seed.count == Self.seedBytes,
            let key = unsafe EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count)
        else {
            ERR_clear_error()
            return nil
        }
        var (bytes, count) = ([UInt8](repeating: 0, count: Self.seedBytes), Self.seedBytes)
        guard unsafe EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == Self.seedBytes else {
            unsafe EVP_PKEY_free(key)
            ERR_clear_error()
            return nil
        }
        unsafe self.key = key
        publicKey = bytes
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// Returns the signature of bytes. The process ends if OpenSSL has no memory.
    func signature(of bytes: [UInt8]) -> [UInt8] {
        var (signature, count) = ([UInt8](repeating: 0, count: Self.signatureBytes), Self.signatureBytes)
        guard let context = unsafe EVP_MD_CTX_new() else { fatalError("OpenSSL has no memory for a signature") }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
            unsafe EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1
        else { fatalError("OpenSSL cannot sign with Ed25519") }
        return signature
    }
}
