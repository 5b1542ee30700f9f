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
    package static func code(sourceType: String?, byteCount: Int) -> UNErrorCode? {
        guard let format = sourceType.flatMap({ MediaFormat.named(mimeType: $0) }), format.isShownByPhones,
            let kind = format.kind
        else { return .attachmentUnrecognizedType }
        return byteCount > MediaProfile.ios.mostBytes(of: kind) ? .attachmentInvalidFileSize : nil
    }
}
