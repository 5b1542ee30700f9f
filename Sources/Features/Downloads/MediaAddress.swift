import Base
import NotificationModel

/// The name of a rendition in a URL: its app group, its digest and its type. No other file of the root has such a name.
struct MediaAddress: Sendable, Hashable {
    let group: AppGroupName
    /// The SHA-256 of the bytes, in 64 lower-case hexadecimal digits.
    let digest: String
    let type: MediaFormat

    /// Reads the segments of a path.
    ///
    /// - Returns: `nil` if the segments are not the name of a rendition, so that nothing has this name.
    init?(group: String, file: String) {
        let parts = file.split(separator: ".", omittingEmptySubsequences: false)
        guard let group = AppGroupName(group), parts.count == 2, parts[0].utf8.count == 64,
            Hexadecimal.isLowercase(parts[0]), let type = MediaFormat.rendition(extension: parts[1])
        else { return nil }
        (self.group, digest, self.type) = (group, String(parts[0]), type)
    }

    /// The name of the file: the digest with the extension of the type.
    var file: String { "\(digest).\(type.fileExtension)" }
    /// The path of the file in the root.
    var path: String { "\(group)/media/\(digest.prefix(2))/\(file)" }
    /// The entity tag of the file. A file never changes, so the tag is strong (RFC 9110 §8.8.3).
    var entityTag: String { "\"\(digest)\"" }
}
