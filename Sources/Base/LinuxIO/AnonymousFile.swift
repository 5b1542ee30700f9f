import CLinuxShims
import Glibc

/// The calls that create files without a name, and that give names to these files.
package enum AnonymousFile {
    /// Creates an empty file on the directory's file system, with mode 0640 less the umask.
    package static func create(in directory: String) throws(SystemError) -> MediaFile {
        var isLinkable: Int32 = 0
        let descriptor = unsafe directory.withCString { unsafe agd_open_anonymous($0, 0o640, &isLinkable) }
        guard descriptor >= 0 else { throw .last("open in \(directory)") }
        return MediaFile(descriptor: descriptor, isLinkable: isLinkable != 0)
    }

    /// Creates an empty file in memory. It cannot get a name, so its bytes must be copied to a file with a name.
    package static func createInMemory() throws(SystemError) -> MediaFile {
        let descriptor = agd_memfd()
        guard descriptor >= 0 else { throw .last("memfd_create") }
        return MediaFile(descriptor: descriptor)
    }

    /// Seals a file in memory, so that its bytes can no longer change. The seal also applies to other processes that
    /// have the file open for writing. Throws `EINVAL` for a file that is not from `createInMemory`, and `EBUSY` while
    /// another process has it mapped for writing.
    package static func seal(_ file: MediaFile) throws(SystemError) {
        guard agd_seal(file.descriptor) != 0 else { return }
        let error = SystemError.last("fcntl(F_ADD_SEALS)")
        // The kernel reports EPERM for a file in a tmpfs directory, because it creates such a file with a seal against
        // further seals.
        let target = FileSystem.linkTarget(of: "/proc/self/fd/\(file.descriptor)")
        guard error.errno == EPERM, target?.hasPrefix("/memfd:") == false else { throw error }
        throw SystemError("fcntl(F_ADD_SEALS)", errno: EINVAL)
    }

    /// Opens another descriptor of the file, which cannot write and has its own position.
    package static func openForReading(_ file: MediaFile) throws(SystemError) -> OwnedDescriptor {
        try OwnedDescriptor.adopt(
            unsafe open("/proc/self/fd/\(file.descriptor)", O_RDONLY | O_CLOEXEC), from: "open for reading")
    }

    /// Gives the file a name. Throws `EEXIST` if another file has the name, which is not replaced.
    package static func link(_ file: MediaFile, to path: String) throws(SystemError) {
        guard unsafe agd_link_anonymous(file.descriptor, path) == 0 else { throw .last("link \(path)") }
    }
}

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
