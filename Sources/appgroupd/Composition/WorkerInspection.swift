import Glibc
import JSON
import LinuxIO
import NotificationModel
import Sandbox
import ServiceConfiguration
import TranscodePool

/// A look at a worker of this installation: its libraries, and the sandbox that stands around it.
///
/// A worker is started that takes no jobs. It reports, and while it waits the kernel is asked the same about it: what the
/// worker says of its sandbox counts only where the kernel does not say otherwise.
struct WorkerInspection: Sendable {
    /// The report, as `WorkerDescription` has it.
    let description: JSONValue
    /// `nil`: the worker says nothing about its sandbox.
    let sandbox: SandboxReport?

    /// Blocks for some 50 ms.
    ///
    /// - Throws: `SystemError`, or a problem with the report.
    static func of(_ path: String, _ options: WorkerOptions) throws -> WorkerInspection {
        var options = options
        options.describes = true
        let worker = try WorkerProcess.start(path, options)
        // Kept until here, because the child dies with its owner.
        defer { worker.child.kill() }
        guard let message = try worker.socket.receive(upTo: 1 << 16, within: .seconds(10)) else {
            throw SystemError("the worker ended without a report", errno: EPIPE)
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

/// The daemon's and the kernel's view of a worker.
private struct WorkerFacts {
    let status: ProcessFacts?
    let hasProcessorLimit: Bool

    private func words(_ name: Substring) -> [Substring]? { status?.words(name) }

    /// A layer that the kernel does not know of does not stand.
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
        // The kernel shows no domain of Landlock, and limits are checked where they are set.
        case .files, .limits: false
        }
    }
}

extension WorkerOptions {
    /// Options of all workers of a process with this configuration.
    ///
    /// - Throws: with status 2 when there is no such user, or when that is root.
    init(_ configuration: Configuration) throws(CommandFailure) {
        self.init(requirement: SandboxRequirement(rawValue: configuration.sandbox.require.rawValue) ?? .all)
        // Workers of another user could not be ended without the capability: they stay root, and the layer is missing.
        guard SystemUser.isRoot, ProcessCapability.kill.isEffective else { return }
        let name = configuration.sandbox.user
        // Linux gives this number to nobody where the list of users has none.
        let nobody: (user: UInt32, group: UInt32)? = name == "nobody" ? (65_534, 65_534) : nil
        guard let found = SystemUser.identifiers(of: name) ?? nobody, found.user != 0, found.user != .max else {
            throw CommandFailure(.usage, "\(name) is root, or is not a user: name another user of /etc/passwd")
        }
        user = WorkerUser(user: found.user, group: found.group)
    }
}
