import COpenSSL

/// Certificates that origins are judged by, as OpenSSL has them. For any thread; the connections that it is handed to
/// hold it, too.
@safe final class CertificateStore: @unchecked Sendable {
    /// Of the file and what is in it.
    let name: String
    private let store: OpaquePointer

    /// - Parameter pem: one certificate at least, among whatever else there is.
    /// - Returns: `nil` where there is none, or one that cannot be read.
    init?(pem: [UInt8], name: String) {
        guard let store = unsafe X509_STORE_new() else { return nil }
        unsafe self.store = store
        self.name = name
        guard unsafe agd_add_certificates(store, pem, Int32(clamping: pem.count)) > 0 else { return nil }
        // As libcurl sets up its own: an authority below a root may be trusted without the root.
        unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_TRUSTED_FIRST | X509_V_FLAG_PARTIAL_CHAIN))
    }

    deinit { unsafe X509_STORE_free(store) }

    /// What a store of the text is called: the same text is the same store.
    static func name(of pem: [UInt8], in file: String) -> String {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        unsafe SHA256(pem, pem.count, &digest)
        return file + " " + digest.map { String($0, radix: 16) }.joined(separator: ".")
    }

    /// - Parameter connections: an `SSL_CTX`, which is to judge by this.
    /// - Returns: whether it does.
    func handOver(to connections: OpaquePointer) -> Bool { unsafe agd_judge_by(connections, store) == 1 }
}
