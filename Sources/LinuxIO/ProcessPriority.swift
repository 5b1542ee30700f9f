import CLinuxShims
import Glibc

/// The share of the processors that the process and its children get when other processes need them as well.
package enum ProcessPriority {
    /// The niceness of work that can wait. Such a process gets about a tenth of the share of other processes
    /// (sched(7)).
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
    /// Lowers the priority of the thread for the disk and the processor, for the rest of its life. The priority stays
    /// if the kernel does not permit the change.
    package static func lower() { _ = agd_lower_thread_priority() }
}
