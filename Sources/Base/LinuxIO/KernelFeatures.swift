import CLinuxShims
import Glibc

/// The features of the running kernel, found by calls and not by its version. Each check throws the `SystemError` of
/// its call if the kernel does not support it.
package enum KernelFeatures {
    /// Returns the version of Landlock's interface. Throws `ENOSYS` if the kernel was built without it, and
    /// `EOPNOTSUPP` if it is switched off.
    package static func landlockVersion() throws(SystemError) -> Int {
        let version = agd_landlock_abi()
        guard version >= 0 else { throw .last("landlock_create_ruleset") }
        return Int(version)
    }

    /// Checks that a seccomp filter can stop a process at a forbidden call.
    package static func checkSeccomp() throws(SystemError) {
        guard agd_seccomp_can_trap() == 0 else { throw .last("seccomp") }
    }

    /// Checks that descriptors, which unlike numbers never name another process later, can name processes.
    package static func checkProcessDescriptors() throws(SystemError) {
        _ = try OwnedDescriptor.adopt(agd_pidfd_open(1), from: "pidfd_open")
    }

    /// Checks that files in memory can be created.
    package static func checkMemoryFiles() throws(SystemError) {
        _ = try OwnedDescriptor.adopt(agd_memfd(), from: "memfd_create")
    }
}

package enum ProcessorCount {
    /// The number of processors that are online, at least 1.
    package static var current: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
