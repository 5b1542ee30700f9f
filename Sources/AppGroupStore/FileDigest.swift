import Digests
import LinuxIO
import NotificationModel

/// The SHA-256 of a file's bytes, in the form of the container's file names.
enum FileDigest {
    /// The number of hexadecimal digits of a digest.
    static let digitCount = 64

    /// Returns the digest of a file, which it reads to its end.
    ///
    /// - Returns: 64 lower-case hexadecimal digits.
    static func of(_ file: MediaFile) throws(SystemError) -> String {
        var hash = SHA256()
        try FileSystem.forEachChunk(of: file) { chunk throws(SystemError) in hash.update(chunk.span) }
        return text(of: hash.finalize())
    }

    static func of(_ bytes: [UInt8]) -> String { text(of: SHA256.hash(bytes)) }

    /// Returns two lower-case hexadecimal digits for each byte.
    static func text(of bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }

    /// Returns whether a text has the form of a digest.
    static func isDigest(_ text: some StringProtocol) -> Bool {
        text.utf8.count == digitCount && isHexadecimal(text)
    }

    static func isHexadecimal(_ text: some StringProtocol) -> Bool {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
