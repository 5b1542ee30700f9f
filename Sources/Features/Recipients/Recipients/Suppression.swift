import Base
import Digests
import LinuxIO
import NotificationModel
import RequestJournal

/// The digests of erased recipients, to whom no request may bring data back.
///
/// An erased recipient has a row with a digest in place of each of its names. The digest has a secret key, so that the
/// names cannot be found by digests of all possible names. The key is made at the first erasure that suppresses.
package final class Suppression: Sendable {
    private static let keyBytes = 32
    /// The first character of a digest in place of a name. No recipient can have a name with this character.
    static let mark = "\u{1}"

    private let directory: String
    /// The secret key; `nil` if no erasure has suppressed a recipient.
    private let key: Guarded<[UInt8]?>

    private var path: String { directory + "/suppression.key" }

    init(directory: String) {
        self.directory = directory
        let bytes = try? FileSystem.contents(of: directory + "/suppression.key")
        key = Guarded(bytes?.count == Self.keyBytes ? bytes : nil)
    }

    /// Makes the key durable if no key exists.
    func begin() throws(SystemError) {
        guard key.withLock({ $0 == nil }) else { return }
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<Self.keyBytes).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        try FileSystem.create(path, in: directory, with: bytes)
        try FileSystem.syncDirectory(directory)
        key.withLock { $0 = bytes }
    }

    /// Returns the digest in place of a name; `nil` if nothing is suppressed.
    func erasedName(of name: RecipientName) -> RecipientName? {
        guard let key = key.withLock({ $0 }) else { return nil }
        // The length of the key is fixed, so the bytes after it cannot be mistaken for a part of it.
        let digest = SHA256.hash(key + Array("\(name.group)\n\(name.name)".utf8)).prefix(16)
        return RecipientName(group: name.group, name: Self.mark + Hexadecimal.text(of: digest))
    }
}
