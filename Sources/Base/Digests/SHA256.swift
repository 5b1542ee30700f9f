import Base
import COpenSSL

/// The SHA-256 (FIPS 180-4) of bytes that arrive in pieces. OpenSSL, which libcurl loads in any case, computes the
/// digest.
///
/// `update` adds bytes, and `finalize` returns the digest. The type accepts any bytes and runs on the calling thread. A
/// value cannot be copied, because a copy would share the state of the original. The process ends if a call of OpenSSL
/// fails: OpenSSL then lacks SHA-256 or has no memory.
@safe package struct SHA256: ~Copyable {
    /// The algorithm (`EVP_MD`). With `EVP_sha256`, OpenSSL 3 would search its providers for the algorithm in each digest,
    /// which takes longer than the digest of a short payload.
    private static nonisolated(unsafe) let algorithm = unsafe EVP_MD_fetch(nil, "SHA256", nil)

    /// The digest context of OpenSSL (`EVP_MD_CTX`).
    private let context: OpaquePointer

    package init() {
        guard let context = unsafe EVP_MD_CTX_new() else { fatalError("OpenSSL has no memory for SHA-256") }
        Self.check(unsafe EVP_DigestInit_ex(context, Self.algorithm, nil))
        unsafe self.context = context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    package mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            Self.check(unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
        }
    }

    /// Returns the 32 bytes of the digest.
    package consuming func finalize() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        Self.check(unsafe EVP_DigestFinal_ex(context, &digest, nil))
        return digest
    }

    private static func check(_ status: CInt) {
        guard status == 1 else { fatalError("OpenSSL cannot compute SHA-256: status \(status)") }
    }

    /// Returns the 32 bytes of the digest of `bytes`.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes.span)
        return hash.finalize()
    }
}

/// The digest of a recipient's name, which events, logs and metrics have in place of the name.
package enum RecipientHash {
    /// The number of bytes of the digest that are shown. Two of 2^32 names have the same text with a probability of
    /// 2^-65.
    private static let byteCount = 16

    /// Returns the hexadecimal digits of the first 16 bytes of the SHA-256 over the group, a line feed and the name.
    package static func text(of name: String, in group: String) -> String {
        Hexadecimal.text(of: SHA256.hash(Array(group.utf8) + [0x0A] + Array(name.utf8)).prefix(byteCount))
    }
}
