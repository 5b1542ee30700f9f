import CLinuxShims
import Glibc
import NotificationModel

/// The most resources that a worker may use.
package struct ResourceLimits: Sendable {
    /// Heap, private anonymous mappings and stacks, in bytes (`RLIMIT_DATA`).
    package var dataBytes: UInt64
    /// All addresses that are mapped, in bytes (`RLIMIT_AS`). The kernel's tables of pages take memory that `dataBytes`
    /// does not count: 4 KiB for each 2 MiB of addresses that were read, which may be terabytes. `nil`: as it is.
    package var addressBytes: UInt64?
    /// The largest file it may write, in bytes.
    package var fileBytes: UInt64
    package var openFiles: UInt64

    package init(dataBytes: UInt64, addressBytes: UInt64? = nil, fileBytes: UInt64, openFiles: UInt64) {
        self.dataBytes = dataBytes
        self.addressBytes = addressBytes
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
        if let addressBytes { try Self.check(agd_limit_addresses(addressBytes), "setrlimit(RLIMIT_AS)") }
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

/// A limit of the calling process: what counts now, and up to where it may raise that (getrlimit(2)). `nil`: no limit.
package struct SoftAndHardLimit: Sendable, Equatable {
    package enum Resource: Sendable {
        case openFiles
        case processes
        /// In seconds.
        case processorTime
    }

    package let soft: UInt64?
    package let hard: UInt64?

    package static func of(_ resource: Resource) -> SoftAndHardLimit? {
        var soft: UInt64 = 0
        var hard: UInt64 = 0
        let result =
            switch resource {
            case .openFiles: unsafe agd_limits_of_open_files(&soft, &hard)
            case .processes: unsafe agd_limits_of_processes(&soft, &hard)
            case .processorTime: unsafe agd_limits_of_processor_time(&soft, &hard)
            }
        guard result == 0 else { return nil }
        return SoftAndHardLimit(soft: soft == .max ? nil : soft, hard: hard == .max ? nil : hard)
    }
}

/// The limit of a process's processor time (`RLIMIT_CPU` in setrlimit(2)), set from the clock that the kernel compares
/// with it.
///
/// The kernel charges whole ticks of the timer (4 ms at 250 Hz) to the process that runs at a tick. What a process has
/// really run (`CLOCK_PROCESS_CPUTIME_ID`) is another clock: over many short bursts the two differ by seconds.
package enum ProcessorTimeLimit {
    /// Processor time that a process has been charged with since its start; zero when it cannot be read.
    package static func charged(to pid: Int32) -> Duration { .nanoseconds(max(0, agd_charged_nanoseconds_of(pid))) }

    /// Sets the soft limit so that the process may be charged at least `time` more, and at most a second beyond that.
    ///
    /// For a process of another user, that takes CAP_SYS_RESOURCE: without it nothing changes.
    package static func allow(_ time: Duration, to pid: Int32) {
        _ = agd_limit_cpu_of(pid, UInt64(max(1, (charged(to: pid) + time).seconds.rounded(.up))))
    }
}
