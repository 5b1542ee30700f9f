import CLinuxShims

/// The priority of the calling thread.
package enum ThreadPriority {
    /// Lets other threads of the machine use the disk and the processor first, for good. The priority stays if the kernel
    /// does not permit it.
    package static func lower() { _ = agd_lower_thread_priority() }
}
