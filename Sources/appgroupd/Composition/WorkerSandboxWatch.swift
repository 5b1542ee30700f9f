import JSON
import LinuxIO
import Logging
import NotificationModel
import Sandbox

/// The sandbox of the workers of a daemon, looked at once after the start, for `status` and the log.
///
/// Requests do not wait for it: a daemon that needs the sandbox (`sandbox.require`) has looked before it started.
final class WorkerSandboxWatch: Sendable {
    private let executable: String
    private let options: WorkerOptions
    private let logger: Logger
    private let report = Guarded<SandboxReport?>(nil)

    init(executable: String, options: WorkerOptions, logger: Logger) {
        self.executable = executable
        self.options = options
        self.logger = logger
    }

    /// `null` until the worker has reported.
    var json: JSONValue { report.withLock { $0?.json ?? .null } }

    /// Looks on a thread of its own: a worker may take its time.
    func look() async {
        guard let thread = try? ThreadExecutor(name: "agd-look") else { return }
        await withTaskExecutorPreference(thread) { inspect() }
        thread.shutdown()
    }

    /// Blocks for some 50 ms.
    private func inspect() {
        do {
            guard let found = try WorkerInspection.of(executable, options).sandbox else {
                return logger.error("the worker reports no sandbox: install both programs from one package")
            }
            report.withLock { $0 = found }
            for state in found.missing {
                logger.warning(
                    "a layer of the workers' sandbox is not active: 'appgroupd doctor' says how to fix it",
                    metadata: ["layer": "\(state.layer.name)", "why": "\(state.detail)"])
            }
        } catch {
            logger.error("the worker does not report its sandbox", metadata: ["error": "\(error)"])
        }
    }
}
