import CLinuxShims

/// The walls that stand around the calling process at this moment, as the kernel tells them.
package struct SandboxStatus: Sendable, Equatable {
    package let hasNoNewPrivileges: Bool
    package let hasSeccompFilter: Bool
    /// `nil`: no limit.
    package let dataBytes: UInt64?
    package let fileBytes: UInt64?
    package let coreBytes: UInt64?
    package let processes: UInt64?
    package let openFiles: UInt64?

    package static var current: SandboxStatus {
        SandboxStatus(
            hasNoNewPrivileges: agd_has_no_new_privileges() == 1,
            hasSeccompFilter: agd_seccomp_mode() == 2,
            dataBytes: SoftAndHardLimit.of(.data)?.hard, fileBytes: SoftAndHardLimit.of(.fileSize)?.hard,
            coreBytes: SoftAndHardLimit.of(.core)?.hard, processes: SoftAndHardLimit.of(.processes)?.hard,
            openFiles: SoftAndHardLimit.of(.openFiles)?.hard)
    }
}
