import CLinuxShims
import Glibc

/// The share of the processors that the process and its children get when other processes need them as well.
package enum ProcessPriority {
    /// The niceness of work that can wait, which gets about a tenth of the share of other processes (sched(7)).
    private static let waiting: Int32 = 10

    /// Lowers the priority of the process. Threads and children that start later inherit it.
    package static func lower() {
        // In Linux, each thread has its own niceness (setpriority(2)).
        for thread in (try? FileSystem.names(in: "/proc/self/task")) ?? [] {
            guard let id = id_t(thread) else { continue }
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id, waiting)
        }
    }
}

/// The priority of the calling thread.
package enum ThreadPriority {
    /// Lowers the priority of the thread for the disk and the processor, for the rest of its life. The priority is
    /// unchanged if the kernel does not permit the call.
    package static func lower() { _ = agd_lower_thread_priority() }
}

/// A capability that a daemon needs for workers of another user (capabilities(7)).
package enum ProcessCapability: UInt64, Sendable {
    /// The capability to end processes of other users (CAP_KILL).
    case kill = 5
    /// The capability to raise the limits of processes of other users (CAP_SYS_RESOURCE).
    case raiseLimits = 24

    /// Whether the calling process has the capability now, by `CapEff` of `/proc/self/status`.
    package var isEffective: Bool {
        let set = ProcessFacts(of: getpid())?.words("CapEff")?.first.flatMap { UInt64($0, radix: 16) } ?? 0
        return set & 1 << rawValue != 0
    }
}
