import Glibc

/// A file of media bytes that has no name yet: a download, or a rendition before it is stored.
///
/// The file is deleted with the last reference to it, and also when the process is killed.
package final class MediaFile: Sendable {
    /// The descriptor of the file, open for reading and writing.
    package let descriptor: Int32
    /// Whether the file system can give the file a name (`linkat`). Otherwise its bytes are copied.
    package let isLinkable: Bool
    private let close: @Sendable (Int32) -> Void

    /// - Parameter close: The function that closes the descriptor with the last reference to the file.
    package init(
        descriptor: Int32, isLinkable: Bool = false,
        close: @escaping @Sendable (Int32) -> Void = { _ = Glibc.close($0) }
    ) {
        self.descriptor = descriptor
        self.isLinkable = isLinkable
        self.close = close
    }

    deinit { close(descriptor) }
}
