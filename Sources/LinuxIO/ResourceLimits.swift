import CLinuxShims
import Glibc

/// The walls that stand before any seccomp filter: what a worker lets itself have at most.
package struct ResourceLimits: Sendable {
    /// Heap, private anonymous mappings and stacks, in bytes (`RLIMIT_DATA`).
    package var dataBytes: UInt64
    /// The largest file it may write, in bytes.
    package var fileBytes: UInt64
    package var openFiles: UInt64

    package init(dataBytes: UInt64, fileBytes: UInt64, openFiles: UInt64) {
        self.dataBytes = dataBytes
        self.fileBytes = fileBytes
        self.openFiles = openFiles
    }

    /// Binds the calling process for good: also no core dumps, no further processes or threads (for other users than
    /// root), no new privileges, and no life after its parent's.
    package func bindCurrentProcess() throws(SystemError) {
        try Self.check(agd_die_with_parent(), "prctl(PR_SET_PDEATHSIG)")
        try Self.check(agd_no_new_privileges(), "prctl(PR_SET_NO_NEW_PRIVS)")
        try Self.check(agd_limit_core(0), "setrlimit(RLIMIT_CORE)")
        try Self.check(agd_limit_processes(0), "setrlimit(RLIMIT_NPROC)")
        try Self.check(agd_limit_open_files(openFiles), "setrlimit(RLIMIT_NOFILE)")
        try Self.check(agd_limit_file_size(fileBytes), "setrlimit(RLIMIT_FSIZE)")
        try Self.check(agd_limit_data(dataBytes), "setrlimit(RLIMIT_DATA)")
    }

    /// Lets the calling process open as many descriptors as the system permits it; the usual 1,024 are few for a server.
    package static func raiseOpenFiles() throws(SystemError) {
        try check(agd_raise_open_files(), "setrlimit(RLIMIT_NOFILE)")
    }

    /// Makes the kernel's table of descriptors as wide as the limit, or as `tableSlots` if that is less. To be called while
    /// there is one thread.
    ///
    /// The table starts with 64 slots and doubles when it is full, for which a process with threads waits each time until
    /// every processor has left what reads the old one (`expand_fdtable` in fs/file.c of Linux: `synchronize_rcu`): some
    /// 10 ms, in which none of its threads opens anything.
    package static func widenDescriptorTable() throws(SystemError) {
        try check(agd_widen_descriptor_table(Int32(min(openFiles, tableSlots))), "fcntl(F_DUPFD_CLOEXEC)")
    }

    /// What 1,024 requests at once may need, with a dozen descriptors each (8 bytes of the kernel's memory each).
    package static let tableSlots = 16_384

    /// Descriptors that the calling process may have open.
    package static var openFiles: Int { Int(clamping: sysconf(Int32(_SC_OPEN_MAX))) }

    private static func check(_ result: Int32, _ call: String) throws(SystemError) {
        guard result == 0 else { throw .last(call) }
    }
}
