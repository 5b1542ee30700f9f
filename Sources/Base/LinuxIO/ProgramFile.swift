import CLinuxShims
import Glibc

/// The open file of a program. A child that is started from it runs this program, also after another one has got its path.
package final class ProgramFile: Sendable {
    let descriptor: OwnedDescriptor

    private init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

    /// Returns the open file of a program; `nil` for a file that is no ELF program, such as a script, which its interpreter
    /// opens by its path.
    package static func open(_ path: String) -> ProgramFile? {
        let file = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        let first = OwnedDescriptor(adopting: file)
        var magic: UInt32 = 0
        guard unsafe pread(first.raw, &magic, 4, 0) == 4, magic == UInt32(littleEndian: 0x464C_457F) else { return nil }
        // The child gets other files at the numbers below 4.
        let copy = fcntl(first.raw, F_DUPFD_CLOEXEC, 4)
        return copy < 0 ? nil : ProgramFile(OwnedDescriptor(adopting: copy))
    }
}

/// The build of the running program.
package enum Build {
    /// The commit from which `make build` has built the program, with `-dirty` after changes; `unknown` for other builds.
    package static let commit = unsafe String(cString: agd_commit())

    package static var isKnown: Bool { commit != "unknown" }

    /// Names the process, as `ps` shows it. The kernel names a process that was started from a descriptor by its number.
    package static func nameProcess(_ name: String) { unsafe agd_name_process(name) }
}
