import Base
import CLinuxShims
import Glibc

/// The limits of the resources that a worker may use.
package struct ResourceLimits: Sendable {
    /// The largest total size of the heap, private anonymous mappings and stacks, in bytes (`RLIMIT_DATA`).
    package var dataBytes: UInt64
    /// The largest total size of all mappings, in bytes (`RLIMIT_AS`); `nil` to keep the current limit.
    ///
    /// The kernel's page tables take memory that `dataBytes` does not count: 4 KiB for each 2 MiB of addresses that
    /// were read. Without a limit, a process may read terabytes of addresses.
    package var addressBytes: UInt64?
    /// The largest file that the worker may write, in bytes.
    package var fileBytes: UInt64
    package var openFiles: UInt64

    package init(dataBytes: UInt64, addressBytes: UInt64? = nil, fileBytes: UInt64, openFiles: UInt64) {
        self.dataBytes = dataBytes
        self.addressBytes = addressBytes
        self.fileBytes = fileBytes
        self.openFiles = openFiles
    }

    /// Applies the limits to the calling process, which cannot undo them.
    ///
    /// The process also writes no core dump, gets no new privileges, and ends with its parent. Unless it is root, the
    /// process cannot start a process or thread.
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

    /// Raises the limit of open descriptors as far as the system permits. The usual limit of 1,024 is low for a server.
    package static func raiseOpenFiles() throws(SystemError) {
        try check(agd_raise_open_files(), "setrlimit(RLIMIT_NOFILE)")
    }

    /// Enlarges the kernel's table of descriptors to the limit, or to `tableSlots` if that is less. The caller must
    /// call this function while the process has one thread.
    ///
    /// The table starts with 64 slots and doubles when it is full. A process with threads then waits until each
    /// processor has left the code that reads the old table (`expand_fdtable` in fs/file.c of Linux:
    /// `synchronize_rcu`). The wait takes about 10 ms, in which no thread of the process can open a descriptor.
    package static func widenDescriptorTable() throws(SystemError) {
        try check(agd_widen_descriptor_table(Int32(min(openFiles, tableSlots))), "fcntl(F_DUPFD_CLOEXEC)")
    }

    /// The number of slots, of 8 bytes, that 1,024 concurrent requests may need with a dozen descriptors each.
    package static let tableSlots = 16_384

    /// The number of descriptors that the calling process may have open.
    package static var openFiles: Int { Int(clamping: sysconf(Int32(_SC_OPEN_MAX))) }

    private static func check(_ result: Int32, _ call: String) throws(SystemError) {
        guard result == 0 else { throw .last(call) }
    }
}

/// A limit of the calling process (getrlimit(2)). `soft` is the current limit, and `hard` is the value to which the
/// process may raise it. `nil` means no limit.
package struct SoftAndHardLimit: Sendable, Equatable {
    package enum Resource: Sendable {
        case openFiles
        case processes
        /// The processor time, in seconds.
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

/// The limit of a process's processor time (`RLIMIT_CPU` in setrlimit(2)), set by the clock with which the kernel
/// compares it.
///
/// The kernel charges whole timer ticks (4 ms at 250 Hz) to the process that runs at a tick. The real run time
/// (`CLOCK_PROCESS_CPUTIME_ID`) is another clock. Over many short bursts, the two clocks differ by seconds.
package enum ProcessorTimeLimit {
    /// Returns the processor time that was charged to a process since its start; zero if the time cannot be read.
    package static func charged(to pid: Int32) -> Duration { .nanoseconds(max(0, agd_charged_nanoseconds_of(pid))) }

    /// Sets the soft limit so that the process may be charged at least `time` more, and at most a second beyond that.
    ///
    /// For a process of another user, this needs CAP_SYS_RESOURCE. Without it, the limit is unchanged.
    package static func allow(_ time: Duration, to pid: Int32) {
        _ = agd_limit_cpu_of(pid, UInt64(max(1, (charged(to: pid) + time).seconds.rounded(.up))))
    }
}

/// The processor time that this process has used on all processors.
package enum ProcessorTime {
    package static var now: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
