/// A file of media bytes that has no name yet: a download, or a rendition before it is stored.
///
/// It lives as long as somebody holds it and is gone with the last holder, even by `kill -9`. The maker says how the
/// descriptor is closed, so that this target does no I/O.
package final class MediaFile: Sendable {
    /// Open for reading and writing.
    package let descriptor: Int32
    /// The file system can give the file a name (`linkat`); otherwise its bytes are copied into a named one.
    package let isLinkable: Bool
    private let close: @Sendable (Int32) -> Void

    package init(descriptor: Int32, isLinkable: Bool, close: @escaping @Sendable (Int32) -> Void) {
        self.descriptor = descriptor
        self.isLinkable = isLinkable
        self.close = close
    }

    deinit { close(descriptor) }
}
