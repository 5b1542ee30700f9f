import CLinuxShims
import Glibc
package import LinuxIO

/// The sandbox of a worker. It takes away all rights that decoding does not need, before a media item is read.
///
/// The input is a process that has just started, with one socket. The output is the same process, which can compute,
/// use the descriptors that come with a job, and end. Any other system call is trapped, even if a media file has taken
/// control of the code. The kernel does not execute the call, the daemon receives its name, and the process ends.
///
/// There are two steps, because libraries open files and make other calls when they are used for the first time.
/// `restrict` gives up users, capabilities and resources. Then each library is used once, and `lock` forbids the rest.
/// The restrictions last until the process ends. A layer that this kernel lacks is reported to the caller.
///
/// The code runs once, on the only thread of the worker. No component cancels it; the daemon may kill the worker.
///
/// To add a new system call that a worker may make, do this: write an ``AllowedCall`` with its reason in a list that is
/// a part of `AllowedCall.all`. Its conditions allow only the arguments that the worker uses. `SecurityDocumentTests`
/// fails until the table in `docs/operate/security.md`, and the number of calls above it, agree with the list.
package struct WorkerSandbox {
    /// The exit status of a worker that made a forbidden call: 128 + SIGSYS, as shells write it.
    package static let violationStatus: Int32 = 128 + SIGSYS

    private var layers: [LayerState] = []

    /// Applies each layer that the kernel supports.
    ///
    /// - Parameter user: The user to become; `nil` to keep the daemon's user if that is not root.
    /// - Parameter descriptor: The descriptor to which a forbidden call is reported.
    /// - Parameter mark: The first byte of the report of a forbidden call (`agd_report_violations`).
    /// - Parameter warm: A closure that uses each library of the worker once.
    /// - Returns: The report, which shows for each layer whether it is in place.
    /// - Throws: A `SystemError` if a limit cannot be lowered, which is not expected: any process may lower its limits.
    package static func apply(
        as user: WorkerUser?, reportingTo descriptor: Int32, mark: UInt8, warming warm: () -> Void
    ) throws(SystemError) -> SandboxReport {
        let sandbox = try restrict(to: user)
        warm()
        return sandbox.lock(reportingTo: descriptor, mark: mark)
    }

    /// Gives up users, capabilities and resources.
    private static func restrict(to user: WorkerUser?) throws(SystemError) -> WorkerSandbox {
        // The daemon passes only one variable, for Swift's runtime, which has read it by now.
        clearenv()
        var sandbox = WorkerSandbox()
        // The bounding set of capabilities is emptied first, because another user lacks the capability to empty it.
        agd_empty_bounding_set()
        sandbox.layers.append(become(user))
        sandbox.layers.append(dropCapabilities())
        // The limits are applied last. They include the parent-death signal, which a change of credentials would clear.
        // A 12 MP photo takes 48 MB, and reducing a video from 1080p to 720p takes 176 MB (measured). A bomb exceeds
        // the limit. The libraries take about 200 MiB of address space, and the input takes at most 50 MB.
        try ResourceLimits(dataBytes: 256 << 20, addressBytes: 1 << 30, fileBytes: 64 << 20, openFiles: 64)
            .bindCurrentProcess()
        sandbox.layers.append(LayerState(.privileges, stands: true, "no program can raise them"))
        sandbox.layers.append(
            LayerState(
                .limits, stands: true,
                "256 MiB of memory, files of 64 MiB, 64 descriptors, no further process or thread, no core dump"))
        return sandbox
    }

    /// Forbids all files, and all system calls that are not in `AllowedCall.all`.
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
        let sorted = SandboxLayer.allCases.compactMap { layer in layers.first { $0.layer == layer } }
        return SandboxReport(layers: sorted, allowedCalls: AllowedCall.all.map(\.description))
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
        // A supervisor may forbid capset(2). This refusal has no effect if the process has no capabilities.
        let dropping = agd_drop_capabilities() == 0 ? nil : SystemError.last("capset")
        guard agd_has_capabilities() == 0 else {
            return LayerState(.capabilities, stands: false, dropping.map { "\($0)" } ?? "some capabilities are left")
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
