import LinuxIO

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

    static let noCertificates = "it has none, or one that is broken"

    /// Returns no bytes for what is too large or no regular file: to open another kind of file may take for ever.
    static func text(of file: String, _ status: FileStatus) throws(SystemError) -> [UInt8] {
        guard status.kind == .regular, status.byteCount <= mostBytes else { return [] }
        return try FileSystem.contents(of: file)
    }
}
