import Base
import Digests
package import NotificationModel
import RequestJournal

/// A name under which a list finds notifications, as a number. The number is a part of a digest, so a reader compares
/// the texts of the rows too.
package struct ListKey: Hashable {
    package enum Kind: UInt8 { case group, id, providerID, recipient, thread }

    /// The maximum length of a name in a row, in Unicode scalars.
    private static let maxScalars = 256

    package let number: Int

    package init(_ kind: Kind, _ text: String, in group: AppGroupName) {
        let name = Self.short(text)
        let digest = SHA256.hash([kind.rawValue] + Array(group.description.utf8) + [0x0A] + Array(name.utf8))
        // SQLite stores a positive number of 47 bits in six bytes.
        number = digest.prefix(6).reduce(0) { $0 << 8 | Int($1) } >> 1
    }

    /// Returns the keys of all names of a notification.
    static func all(of key: RequestKey, _ names: ListedNames) -> [ListKey] {
        let texts: [(Kind, String?)] = [
            (.group, ""), (.id, key.id.description), (.providerID, names.providerID), (.recipient, names.recipient),
            (.thread, names.thread),
        ]
        return texts.compactMap { kind, text in text.map { ListKey(kind, $0, in: key.group) } }
    }

    /// Returns a name as rows contain it. The rest of a long name is replaced by a digest of the whole name. SQLite reads
    /// a text up to its first NUL, so the rest of a name with one is replaced too.
    package static func short(_ name: String) -> String {
        let hasNUL = name.utf8.contains(0)
        guard hasNUL || (name.utf8.count > maxScalars && name.unicodeScalars.count > maxScalars) else { return name }
        let digest = Hexadecimal.text(of: SHA256.hash(Array(name.utf8)).prefix(16))
        let start = name.unicodeScalars.prefix { $0 != "\0" }.prefix(maxScalars - digest.count)
        return String(String.UnicodeScalarView(start)) + digest
    }
}
