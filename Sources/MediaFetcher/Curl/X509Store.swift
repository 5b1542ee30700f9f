import COpenSSL
import LinuxIO

/// Certificates that origins are judged by, as OpenSSL has them. For any thread; the connections that it is handed to
/// hold it, too.
@safe final class X509Store: @unchecked Sendable {
    /// Another one for each store.
    let name: String
    /// Of the text.
    let digest: [UInt8]
    private let store: OpaquePointer

    /// - Parameter pems: each has one certificate at least, among whatever else there is.
    /// - Returns: `nil` where one has none, or one that cannot be read.
    init?(pems: [[UInt8]], _ digest: [UInt8], name: String) {
        guard let store = unsafe X509_STORE_new() else { return nil }
        unsafe self.store = store
        self.name = name
        self.digest = digest
        for pem in pems {
            guard unsafe agd_add_certificates(store, pem, Int32(clamping: pem.count)) > 0 else { return nil }
        }
        // As libcurl sets up its own: an authority below a root may be trusted without the root.
        unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_TRUSTED_FIRST | X509_V_FLAG_PARTIAL_CHAIN))
    }

    deinit { unsafe X509_STORE_free(store) }

    /// - Parameter connections: an `SSL_CTX`, which is to judge by this.
    /// - Returns: whether it does.
    func install(to connections: OpaquePointer) -> Bool { unsafe agd_judge_by(connections, store) == 1 }
}

/// A file of certificates (PEM) that an operator or the system names.
package enum CertificateFile {
    /// Limit of a file's size, in bytes: a system's has 0.2 MB.
    static let mostBytes = 16 << 20

    /// Reads a file as a transfer would.
    ///
    /// - Returns: why no certificates can be read from it; `nil` when they can.
    package static func problem(with file: String) -> String? {
        do throws(SystemError) {
            let text = try text(of: file, try FileSystem.look(through: file))
            return X509Store(pems: [text], [], name: file) == nil ? noCertificates : nil
        } catch {
            return error.reason
        }
    }

    static let noCertificates = "it has no certificate, or a damaged one"

    /// Returns no bytes for what is too large or no regular file: to open another kind of file may take for ever.
    static func text(of file: String, _ status: FileStatus) throws(SystemError) -> [UInt8] {
        guard status.kind == .regular, status.byteCount <= mostBytes else { return [] }
        return try FileSystem.contents(of: file)
    }
}
