import CLinuxShims
import Glibc

/// What this kernel can do, found by asking it and not by its version.
package enum KernelFeatures {
    /// The version of Landlock's interface.
    ///
    /// - Throws: `ENOSYS` where the kernel was built without it, `EOPNOTSUPP` where it is switched off.
    package static func landlockVersion() throws(SystemError) -> Int {
        let version = agd_landlock_abi()
        guard version >= 0 else { throw .last("landlock_create_ruleset") }
        return Int(version)
    }

    /// Passes when a seccomp filter can stop a process at a call that it forbids.
    package static func checkSeccomp() throws(SystemError) {
        guard agd_seccomp_can_trap() == 0 else { throw .last("seccomp") }
    }

    /// Passes when processes can be named by descriptors, which are never another's.
    package static func checkProcessDescriptors() throws(SystemError) {
        _ = try OwnedDescriptor.adopt(agd_pidfd_open(1), from: "pidfd_open")
    }

    /// Passes when there can be sealed files in memory.
    package static func checkMemoryFiles() throws(SystemError) {
        _ = try OwnedDescriptor.adopt(agd_memfd(), from: "memfd_create")
    }
}

package enum ProcessorCount {
    /// Processors that are online, at least 1.
    package static var current: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
