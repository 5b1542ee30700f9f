import Digests
package import LinuxIO
package import NotificationModel
import Primitives

/// The SHA-256 of a file's bytes, in the form of the container's file names.
package enum FileDigest {
    /// The number of hexadecimal digits of a digest.
    static let digitCount = 64

    /// Returns the digest of a file, which it reads to its end.
    ///
    /// - Returns: 64 lower-case hexadecimal digits.
    package static func of(_ file: MediaFile) throws(SystemError) -> String {
        var hash = SHA256()
        try FileSystem.forEachChunk(of: file) { chunk throws(SystemError) in hash.update(chunk.span) }
        return Hexadecimal.text(of: hash.finalize())
    }

    package static func of(_ bytes: [UInt8]) -> String { Hexadecimal.text(of: SHA256.hash(bytes)) }

    /// Returns whether a text has the form of a digest.
    package static func isDigest(_ text: some StringProtocol) -> Bool {
        text.utf8.count == digitCount && Hexadecimal.isLowercase(text)
    }
}
