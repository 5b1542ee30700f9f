import COpenSSL
import LinuxIO

/// A set of trusted certificates as an OpenSSL store for any thread, which connections that use it retain.
@safe final class X509Store: @unchecked Sendable {
    /// The unique name of the store.
    let name: String
    /// The SHA-256 digest of the PEM text.
    let digest: [UInt8]
    private let store: OpaquePointer

    /// Creates a store from PEM texts, which may have other content too. The result is `nil` if one of the texts has no
    /// certificate, or has a certificate that cannot be read.
    init?(pems: [[UInt8]], _ digest: [UInt8], name: String) {
        guard let store = unsafe X509_STORE_new() else { return nil }
        unsafe self.store = store
        self.name = name
        self.digest = digest
        for pem in pems {
            guard unsafe agd_add_certificates(store, pem, Int32(clamping: pem.count)) > 0 else { return nil }
        }
        // libcurl sets the same flags for its own stores. An intermediate authority can then be trusted without its
        // root.
        unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_TRUSTED_FIRST | X509_V_FLAG_PARTIAL_CHAIN))
    }

    deinit { unsafe X509_STORE_free(store) }

    /// Makes an `SSL_CTX` verify its connections with this store, and returns whether OpenSSL accepted the store.
    func install(to connections: OpaquePointer) -> Bool { unsafe agd_judge_by(connections, store) == 1 }
}

/// A PEM file of certificates, which the operator or the system provides.
package enum CertificateFile {
    /// The maximum size of a file, in bytes. The file of a system has 0.2 MB.
    static let maxBytes = 16 << 20

    /// Returns the reason why a transfer cannot read certificates from a file; `nil` if it can read them.
    package static func problem(with file: String) -> String? {
        do throws(SystemError) {
            let text = try text(of: file, try FileSystem.look(through: file))
            return X509Store(pems: [text], [], name: file) == nil ? noCertificates : nil
        } catch {
            return error.reason
        }
    }

    static let noCertificates = "it has no certificate, or a damaged one"

    /// Returns the bytes of a file; none if it is too large, or not a regular file, whose opening may block.
    static func text(of file: String, _ status: FileStatus) throws(SystemError) -> [UInt8] {
        guard status.kind == .regular, status.byteCount <= maxBytes else { return [] }
        return try FileSystem.contents(of: file)
    }
}
