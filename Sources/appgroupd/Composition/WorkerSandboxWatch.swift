import Base
import FeatureKit
import LinuxIO
import Logging
import Sandbox
import TranscodePool

/// The sandbox of a daemon's workers, which is examined once after the start, for `status` and the log.
///
/// Requests do not wait for the examination. A daemon with `sandbox.require` has examined it before its start.
final class WorkerSandboxWatch: Sendable {
    private let program: WorkerProgram
    private let options: WorkerOptions
    private let logger: Logger
    private let report = Guarded<SandboxReport?>(nil)
    private let otherBuild = Guarded(false)

    init(executable: String, options: WorkerOptions, logger: Logger) {
        program = WorkerProgram(executable)
        self.options = options
        self.logger = logger
    }

    /// The report as JSON. It is `null` until the worker has reported.
    var json: JSONValue { report.withLock { $0?.json ?? .null } }

    /// Whether the worker was found to be of another build than the daemon, so that no media are made.
    var isOfOtherBuild: Bool { otherBuild.withLock { $0 } }

    /// Examines the sandbox on a separate thread, because a worker may be slow.
    func look() async {
        guard let thread = try? EventLoop.start(name: "agd-look") else { return }
        await withTaskExecutorPreference(thread.tasks) { inspect() }
        thread.shutdown()
    }

    /// Examines the sandbox. The call blocks for about 50 ms.
    private func inspect() {
        do {
            guard let found = try WorkerInspection.of(program, options).sandbox else {
                return logger.error("the worker reports no sandbox: install both programs from one package")
            }
            report.withLock { $0 = found }
            for state in found.missing {
                logger.warning(
                    "a layer of the workers' sandbox is not active: 'appgroupd doctor' says how to fix it",
                    metadata: ["layer": "\(state.layer.name)", "why": "\(state.detail)"])
            }
        } catch let error as WorkerInspection.OtherBuild {
            otherBuild.withLock { $0 = true }
            logger.error(
                "no media are made, because the worker is of another build: install both programs from one package",
                metadata: ["error": "\(error)"])
        } catch {
            logger.error("the worker does not report its sandbox", metadata: ["error": "\(error)"])
        }
    }
}
