import CLinuxShims
import Glibc
package import NotificationModel

/// Nameless files, and the names they get.
package enum AnonymousFile {
    /// A new empty file on the folder's file system, mode 0640 less the umask.
    package static func create(in directory: String) throws(SystemError) -> MediaFile {
        var isLinkable: Int32 = 0
        let descriptor = unsafe directory.withCString { unsafe agd_open_anonymous($0, 0o640, &isLinkable) }
        guard descriptor >= 0 else { throw .last("open in \(directory)") }
        return MediaFile(descriptor: descriptor, isLinkable: isLinkable != 0) { _ = Glibc.close($0) }
    }

    /// A new empty file in memory. It has no name and cannot get one; its bytes are copied to where they are to stay.
    package static func createInMemory() throws(SystemError) -> MediaFile {
        let descriptor = agd_memfd()
        guard descriptor >= 0 else { throw .last("memfd_create") }
        return MediaFile(descriptor: descriptor, isLinkable: false) { _ = Glibc.close($0) }
    }

    /// Makes the bytes of a file in memory final, also for other processes that have it open for writing.
    ///
    /// - Throws: `EINVAL` for a file that is not of `createInMemory`, `EBUSY` while another process has it mapped for
    ///   writing.
    package static func seal(_ file: MediaFile) throws(SystemError) {
        guard agd_seal(file.descriptor) != 0 else { return }
        let error = SystemError.last("fcntl(F_ADD_SEALS)")
        // A file of a directory on a tmpfs is born with a seal against seals, which the kernel reports as EPERM.
        let target = FileSystem.linkTarget(of: "/proc/self/fd/\(file.descriptor)")
        guard error.errno == EPERM, target?.hasPrefix("/memfd:") == false else { throw error }
        throw SystemError("fcntl(F_ADD_SEALS)", errno: EINVAL)
    }

    /// Another descriptor of the file, which cannot write and has a position of its own.
    package static func openForReading(_ file: MediaFile) throws(SystemError) -> OwnedDescriptor {
        try OwnedDescriptor.adopt(
            unsafe open("/proc/self/fd/\(file.descriptor)", O_RDONLY | O_CLOEXEC), from: "open for reading")
    }

    /// Gives the file a name, never replacing another file.
    ///
    /// - Throws: `EEXIST` when the name is taken.
    package static func link(_ file: MediaFile, to path: String) throws(SystemError) {
        guard unsafe agd_link_anonymous(file.descriptor, path) == 0 else { throw .last("link \(path)") }
    }
}
