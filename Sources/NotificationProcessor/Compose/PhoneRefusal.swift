import Base
package import NotificationModel

/// The error of `UNNotificationAttachment` for a file as its origin sends it.
///
/// Types and sizes are those of Apple's table, "UNNotificationAttachment", "Supported file types". The table gives
/// sizes in MB, and not in bytes. For the payload of a notification, Apple gives both units: 4 KB and 4,096 bytes. An
/// MB is therefore taken as 1,048,576 bytes. Apple does not document whether a phone takes a file of 10,000,000 to
/// 10,485,760 bytes.
package enum PhoneRefusal {
    /// Returns the code with which a phone refuses the file; `nil` if the phone takes the file.
    ///
    /// - Parameter sourceType: The MIME type according to the file's bytes; `nil` if the bytes are of no known type.
    /// - Parameter byteCount: The size of the whole file.
    /// - Parameter isDamaged: Whether a worker has found damage in the file.
    package static func code(sourceType: String?, byteCount: Int, isDamaged: Bool = false) -> UNErrorCode? {
        guard let format = sourceType.flatMap({ MediaFormat.named(mimeType: $0) }), format.isShownByPhones,
            let kind = format.kind
        else { return .attachmentUnrecognizedType }
        if byteCount > MediaProfile.ios.maxBytes(of: kind) { return .attachmentInvalidFileSize }
        return isDamaged ? .attachmentCorrupt : nil
    }
}

extension Verdict {
    /// Judges a plain http URL as a phone does. App Transport Security ends the request (NSURLError -1022, Apple,
    /// "Preventing Insecure Network Connections"), and `UNNotificationAttachment` never sees the URL. The scheme alone
    /// is therefore no `UNError`.
    ///
    /// - Parameter isForPhone: Whether the recipient is a phone. If so, the verdict names the http URL as the obstacle,
    ///   unless the media item has another failure that https would not fix.
    mutating func applyTransportSecurity(to reference: MediaReference, isForPhone: Bool) {
        guard reference.isPlainHTTP, failure == nil || failure?.reason == .forbiddenScheme else { return }
        if failure != nil { unError = nil }
        if isForPhone {
            phoneObstacle = "on a phone App Transport Security blocks plain http (NSURLError -1022): write https"
        }
    }
}
