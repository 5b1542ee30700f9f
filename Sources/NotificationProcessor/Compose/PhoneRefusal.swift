package import NotificationModel

/// The error of `UNNotificationAttachment` for a file as it comes from its origin.
///
/// Types and sizes are those of Apple's table, "UNNotificationAttachment", "Supported file types". The table says MB
/// without the number of bytes. For the payload of a notification Apple gives both: 4 KB are 4,096 bytes. Therefore
/// MB are read as binary here, too. Only the system knows about a file of between 10,000,000 and 10,485,760 bytes.
package enum PhoneRefusal {
    /// The code with which a phone refuses the file; `nil` if it takes the file.
    ///
    /// - Parameters:
    ///   - sourceType: the MIME type by the file's bytes; `nil` if they are of no known type.
    ///   - byteCount: of the whole file.
    ///   - isDamaged: whether a worker has found damage in it.
    package static func code(sourceType: String?, byteCount: Int, isDamaged: Bool = false) -> UNErrorCode? {
        guard let format = sourceType.flatMap({ MediaFormat.named(mimeType: $0) }), format.isShownByPhones,
            let kind = format.kind
        else { return .attachmentUnrecognizedType }
        if byteCount > MediaProfile.ios.mostBytes(of: kind) { return .attachmentInvalidFileSize }
        return isDamaged ? .attachmentCorrupt : nil
    }
}

extension Verdict {
    /// Judges a plain http URL as a phone does: App Transport Security ends the request (NSURLError -1022, Apple,
    /// "Preventing Insecure Network Connections"), and `UNNotificationAttachment` never sees the URL. The scheme alone is
    /// therefore no `UNError`.
    ///
    /// - Parameter isForPhone: a phone is the receiver, and the verdict names the obstacle. It does so if the medium has no
    ///   other failure, which a change to https would not mend.
    mutating func applyTransportSecurity(to reference: MediaReference, isForPhone: Bool) {
        guard reference.isPlainHTTP, failure == nil || failure?.reason == .forbiddenScheme else { return }
        if failure != nil { unError = nil }
        if isForPhone {
            phoneObstacle = "on a phone App Transport Security blocks plain http (NSURLError -1022): write https"
        }
    }
}
