import CLinuxShims
import Glibc
package import LinuxIO

/// Takes from a worker process everything that decoding does not need, before it reads the first byte of a medium.
///
/// The input is a process that has just started, with one socket. The output is the same process, which can compute, use
/// the descriptors that come with a job, and end. Any other system call, by its own code or by that of a file that has
/// taken it over, is trapped: the call is not made, the daemon learns its name, and the process ends.
///
/// There are two steps, because libraries open files and ask the kernel when they are used for the first time:
/// `restrict` gives up users, capabilities and resources, then the libraries are used once, and `lock` closes the rest.
/// Nothing is undone until the process ends. A layer that this kernel does not have is reported, not hidden; the caller
/// decides whether to go on without it.
package struct WorkerSandbox {
    /// The status of a worker that made a forbidden call: 128 and SIGSYS, as shells write it.
    package static let violationStatus: Int32 = 128 + SIGSYS

    private var layers: [LayerState] = []

    /// Raises every layer that the kernel has.
    ///
    /// - Parameters:
    ///   - user: the user to become; `nil` for the daemon's own, when that is not root.
    ///   - descriptor: where the report of a forbidden call is written to.
    ///   - mark: the first byte of such a report (`agd_report_violations`).
    ///   - warm: uses each library of the worker once.
    /// - Returns: what stands now.
    /// - Throws: when limits cannot be lowered, which any process may do.
    package static func apply(
        as user: WorkerUser?, reportingTo descriptor: Int32, mark: UInt8, warming warm: () -> Void
    ) throws(SystemError) -> SandboxReport {
        let sandbox = try restrict(to: user)
        warm()
        return sandbox.lock(reportingTo: descriptor, mark: mark)
    }

    /// Gives up users, capabilities and resources.
    private static func restrict(to user: WorkerUser?) throws(SystemError) -> WorkerSandbox {
        // The daemon passes no variable on but one for Swift's runtime, which has read it by now.
        clearenv()
        var sandbox = WorkerSandbox()
        // While the process may still do that: another user has no capability for it.
        agd_empty_bounding_set()
        sandbox.layers.append(become(user))
        sandbox.layers.append(dropCapabilities())
        // A change of credentials clears the parent-death signal, which this sets: it comes after them.
        // A 12 MP photo takes 48 MB, 1080p to 720p 176 MB (measured); a bomb does not fit.
        // Libraries have some 200 MiB of addresses, and the input at most 50 MB.
        try ResourceLimits(dataBytes: 256 << 20, addressBytes: 1 << 30, fileBytes: 64 << 20, openFiles: 64)
            .bindCurrentProcess()
        sandbox.layers.append(LayerState(.privileges, stands: true, "no program can raise them"))
        sandbox.layers.append(
            LayerState(
                .limits, stands: true,
                "256 MiB of memory, files of 64 MiB, 64 descriptors, no further process or thread, no core dump"))
        return sandbox
    }

    /// Closes the way to files and to all system calls that are not in `AllowedCall.all`.
    private consuming func lock(reportingTo descriptor: Int32, mark: UInt8) -> SandboxReport {
        layers.append(Self.forbidFiles())
        do throws(SystemError) {
            let filter = try SystemCallFilter.make(allowing: AllowedCall.all)
            try Self.check(agd_report_violations(descriptor, mark, Self.violationStatus), "sigaction(SIGSYS)")
            try filter.load()
            layers.append(LayerState(.systemCalls, stands: true, "\(AllowedCall.all.count) calls are allowed"))
        } catch {
            layers.append(LayerState(.systemCalls, stands: false, "\(error)"))
        }
        return SandboxReport(
            layers: layers.sorted { $0.layer.order < $1.layer.order },
            allowedCalls: AllowedCall.all.map(\.description))
    }

    private static func become(_ user: WorkerUser?) -> LayerState {
        guard let user else {
            return getuid() == 0
                ? LayerState(.user, stands: false, "the worker is root, as the daemon is")
                : LayerState(.user, stands: true, "the daemon's, which is not root")
        }
        guard agd_become_user(user.user, user.group) == 0, getuid() == user.user, getgid() == user.group else {
            return LayerState(.user, stands: false, "\(SystemError.last("setresuid(\(user.user))"))")
        }
        return LayerState(.user, stands: true, "user \(user.user), group \(user.group)")
    }

    private static func dropCapabilities() -> LayerState {
        // A supervisor may forbid the call to a process that has none anyway.
        let dropping = agd_drop_capabilities() == 0 ? nil : SystemError.last("capset")
        guard agd_has_capabilities() == 0 else {
            return LayerState(.capabilities, stands: false, dropping.map { "\($0)" } ?? "some are left")
        }
        return LayerState(.capabilities, stands: true, "all sets are empty")
    }

    private static func forbidFiles() -> LayerState {
        let version = agd_forbid_files_and_ports()
        guard version >= 1 else { return LayerState(.files, stands: false, "\(SystemError.last("landlock"))") }
        return LayerState(.files, stands: true, "no right at all, interface version \(version)")
    }

    private static func check(_ result: Int32, _ call: String) throws(SystemError) {
        guard result == 0 else { throw .last(call) }
    }
}

extension SandboxLayer {
    fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
