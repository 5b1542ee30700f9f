import CLinuxShims
import Glibc

/// The share that the process and its children have of the processors when others want them, too.
package enum ProcessPriority {
    /// The niceness of work that can wait: about a tenth of the share of other processes (sched(7)).
    private static let waiting: Int32 = 10

    /// Leaves the processors to other processes. Threads and children that are started later inherit it.
    package static func lower() {
        // Linux has a niceness for each thread (setpriority(2)).
        for thread in (try? FileSystem.names(in: "/proc/self/task")) ?? [] {
            guard let id = id_t(thread) else { continue }
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id, waiting)
        }
    }
}

/// The priority of the calling thread.
package enum ThreadPriority {
    /// Lets other threads of the machine use the disk and the processor first, for good. The priority stays if the kernel
    /// does not permit it.
    package static func lower() { _ = agd_lower_thread_priority() }
}
