import COpenSSL
import LinuxIO
import NotificationModel

/// The certificates of a file that origins are judged by, read once for all hosts on all threads: by itself libcurl 7.88
/// reads them for each multi handle, which are many, 30 ms and 0.7 MB for a system's 140.
///
/// Asked for each connection. What replaces the file, or changes it, counts from the next one on; where it cannot be read
/// then, those hold that were read before.
final class TrustedCertificates: Sendable {
    private struct Reading {
        let file: String
        let status: FileStatus
        let store: CertificateStore
    }

    private let last = Guarded<Reading?>(nil)

    /// libcurl's TLS is the OpenSSL of this process: what it makes for its connections is what this can set up.
    let canBeHandedOver: Bool

    /// Asks libcurl what it is made of, which asks each of its libraries.
    init() {
        let version = unsafe OpenSSL_version(OPENSSL_VERSION_STRING).map { unsafe String(cString: $0) }
        canBeHandedOver = version.map { CurlLibrary.description?.tls == "OpenSSL/\($0)" } ?? false
    }

    /// - Parameter file: PEM.
    /// - Returns: `nil` where no certificate can be read, nor could before.
    func store(of file: String) -> CertificateStore? {
        last.withLock { last in
            let known = last?.file == file ? last : nil
            guard let status = try? FileSystem.look(through: file) else { return known?.store }
            if let known, known.status == status { return known.store }
            guard status.kind == .regular, let store = CertificateStore(file) else { return known?.store }
            last = Reading(file: file, status: status, store: store)
            return store
        }
    }
}

/// OpenSSL's store of certificates, owned; the connections that are judged by it hold it, too. For any thread.
@safe final class CertificateStore: @unchecked Sendable {
    private let store: OpaquePointer

    /// - Parameter file: PEM, of one certificate at least.
    init?(_ file: String) {
        guard let store = unsafe X509_STORE_new() else { return nil }
        unsafe self.store = store
        guard unsafe X509_STORE_load_file(store, file) == 1 else {
            // libcurl takes what it finds there for its own.
            ERR_clear_error()
            return nil
        }
        // As libcurl sets up its own: an authority below the root is one, too, where the file has it.
        unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_TRUSTED_FIRST | X509_V_FLAG_PARTIAL_CHAIN))
    }

    deinit { unsafe X509_STORE_free(store) }

    /// - Parameter context: of a connection (`SSL_CTX`), which keeps the store.
    func judge(_ context: OpaquePointer) -> Bool { unsafe agd_ssl_judge_by(context, store) == 1 }
}
