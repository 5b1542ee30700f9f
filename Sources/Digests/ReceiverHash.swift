import Primitives

/// The digest of a receiver's name, which events, logs and metrics have in place of the name.
package enum ReceiverHash {
    /// The number of bytes of the digest that are shown. Two of 2^32 names have the same text with a probability of
    /// 2^-65.
    private static let byteCount = 16

    /// Returns the hexadecimal digits of the first 16 bytes of the SHA-256 over the group, a line feed and the name.
    package static func text(of name: String, in group: String) -> String {
        Hexadecimal.text(of: SHA256.hash(Array(group.utf8) + [0x0A] + Array(name.utf8)).prefix(byteCount))
    }
}
