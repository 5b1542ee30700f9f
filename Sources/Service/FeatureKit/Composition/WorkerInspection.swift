package import Base
import Glibc
import LinuxIO
package import Sandbox
package import ServiceConfiguration
package import TranscodePool

/// A report about a worker of this installation: its libraries and its sandbox.
///
/// A worker that takes no jobs is started, and reports about itself. While it waits, the daemon reads the same facts
/// from the kernel. A layer of the sandbox is reported as active only if the kernel does not contradict the worker.
package struct WorkerInspection: Sendable {
    /// The report of the worker, as `WorkerDescription` writes it.
    package let description: JSONValue
    /// The sandbox of the worker. The value is `nil` if the worker does not report a sandbox.
    package let sandbox: SandboxReport?

    /// The error of a worker that is of another build than this program.
    package struct OtherBuild: Error, CustomStringConvertible {
        package let description = "it is of another build than this program"
    }

    /// Starts a worker and returns its report. The call blocks for about 50 ms.
    ///
    /// - Throws: `SystemError`, or an error about the report.
    package static func of(_ program: WorkerProgram, _ options: WorkerOptions) throws -> WorkerInspection {
        var options = options
        options.describes = true
        let worker = try WorkerProcess.start(program, options)
        // The deinitialization of the owner would kill the child, so the owner is kept alive until here.
        defer { worker.child.kill() }
        guard let message = try worker.socket.receive(upTo: 1 << 16, within: .seconds(10)) else {
            throw worker.isRefused ? OtherBuild() : SystemError("the worker ended without a report", errno: EPIPE)
        }
        let description = try JSONParser.value(of: message.bytes)
        let facts = WorkerFacts(
            status: ProcessFacts(of: worker.child.pid), hasProcessorLimit: worker.canLimitProcessorTime)
        let sandbox = description["sandbox"].flatMap(SandboxReport.init).map { report in
            var report = report
            report.layers = report.layers.map { facts.checked($0) }
            return report
        }
        return WorkerInspection(description: description, sandbox: sandbox)
    }
}

/// The facts about a worker that the kernel reports.
private struct WorkerFacts {
    let status: ProcessFacts?
    let hasProcessorLimit: Bool

    private func words(_ name: Substring) -> [Substring]? { status?.words(name) }

    /// Returns the state of a layer. A layer is not active if the kernel contradicts the report of the worker.
    func checked(_ state: LayerState) -> LayerState {
        if state.layer == .limits, state.stands, !hasProcessorLimit {
            return LayerState(
                .limits, stands: true,
                state.detail + "; the processor time of a job is not limited, because this needs CAP_SYS_RESOURCE")
        }
        guard state.stands, isDenied(state.layer) else { return state }
        return LayerState(state.layer, stands: false, "the worker reports it as active, but the kernel does not")
    }

    private func isDenied(_ layer: SandboxLayer) -> Bool {
        switch layer {
        case .systemCalls: words("Seccomp").map { $0 != ["2"] } ?? false
        case .privileges: words("NoNewPrivs").map { $0 != ["1"] } ?? false
        case .capabilities:
            ["CapInh", "CapPrm", "CapEff", "CapAmb"].contains { name in
                words(name).map { $0.contains { word in word.contains { $0 != "0" } } } ?? false
            }
        case .user: words("Uid")?.contains("0") ?? false
        // The kernel does not show a process's Landlock domain. Limits are checked when they are set.
        case .files, .limits: false
        }
    }
}

extension WorkerOptions {
    /// Creates the options of all workers of a process with this configuration.
    ///
    /// - Throws: A failure with status 2 if the configured user does not exist, or is root.
    package init(_ configuration: Configuration) throws(CommandFailure) {
        self.init(requirement: SandboxRequirement(rawValue: configuration.sandbox.require.rawValue) ?? .all)
        // Without CAP_KILL, the daemon could not end workers of another user. Therefore, the workers stay root, and the
        // layer is missing.
        guard SystemUser.isRoot, ProcessCapability.kill.isEffective else { return }
        let name = configuration.sandbox.user
        // Linux uses this number for the user `nobody` if the list of users does not have the name.
        let nobody: (user: UInt32, group: UInt32)? = name == "nobody" ? (65_534, 65_534) : nil
        guard let found = SystemUser.identifiers(of: name) ?? nobody, found.user != 0, found.user != .max else {
            throw CommandFailure(.usage, "\(name) is root, or is not a user: name another user of /etc/passwd")
        }
        user = WorkerUser(user: found.user, group: found.group)
    }
}
