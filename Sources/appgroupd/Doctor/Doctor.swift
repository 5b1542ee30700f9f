import CommandSupport
import LinuxIO
import NotificationModel
import Sandbox

/// The examination of this machine: a list of checks, in the order in which they are reported.
///
/// Each check is a function that examines one property and returns what it has found. Checks do not depend on each
/// other, and do not repair anything. If a check cannot find an answer, this is a finding, too. The checks run one
/// after the other on a thread of their own, because most of them ask the kernel or the disk.
actor Doctor {
    private nonisolated let loop: EventLoop

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init() throws(SystemError) { loop = try EventLoop.start(name: "agd-doctor") }

    /// Returns all checks in the order of the report.
    ///
    /// - Parameter worker: The options with which workers are started.
    /// - Parameter names: The settings with which the daemon resolves names.
    /// - Parameter caFile: The value of `fetch.caFile`. `nil` means the certificates of the system.
    /// - Parameter hostFiles: The files of `fetch.hosts`.
    /// - Parameter proxy: The trial of `fetch.proxy`. The value is `nil` if no proxy is configured.
    /// - Parameter publicURL: The trial of `publicURL`. The value is `nil` if no URL is configured.
    /// - Parameter socket: The check of the daemon's socket.
    /// - Parameter openFiles: The check of the limit of open files.
    /// - Parameter memory: The check of the memory limit.
    static func checks(
        root: String, worker: WorkerOptions, names: ResolverSettings, caFile: String? = nil, hostFiles: [String] = [],
        proxy: ProxyTrial?, publicURL: PublicURLTrial?, socket: DoctorCheck, openFiles: DoctorCheck, memory: DoctorCheck
    ) -> [DoctorCheck] {
        let trial = RootTrial(root: root)
        let workers = WorkerChecks(options: worker)
        return [
            DoctorCheck("libraries", "libcurl") { LibraryChecks.curl() },
            DoctorCheck("libraries", "tls") { LibraryChecks.tls() },
            DoctorCheck("libraries", "asynchronous resolver") { LibraryChecks.resolver() },
            DoctorCheck("libraries", "sqlite") { LibraryChecks.sqlite() },
            DoctorCheck("worker", "ffmpeg") { workers.libraries() },
            DoctorCheck("worker", "formats") { workers.formats() },
            DoctorCheck("worker", "sandbox") { workers.sandbox() },
            DoctorCheck("worker", "allowed calls") { workers.allowedCalls() },
            DoctorCheck("kernel", "seccomp") { KernelChecks.seccomp() },
            DoctorCheck("kernel", "landlock") { KernelChecks.landlock() },
            DoctorCheck("kernel", "process descriptors") { KernelChecks.processDescriptors() },
            DoctorCheck("kernel", "memory files") { KernelChecks.memoryFiles() },
            DoctorCheck("kernel", "clock") { KernelChecks.clock() },
            DoctorCheck("root", "folder") { RootChecks.directory(root) },
            DoctorCheck("root", "owner and mode") { RootChecks.ownerAndMode(root) },
            DoctorCheck("root", "file system") { RootChecks.fileSystem(root) },
            DoctorCheck("root", "free space") { RootChecks.freeSpace(root) },
            DoctorCheck("root", "nameless files") { trial.namelessFiles() },
            DoctorCheck("root", "links and moves") { trial.linksAndMoves() },
            DoctorCheck("root", "durable writes") { trial.durableWrites() },
            DoctorCheck("root", "daemon") { RootChecks.daemon(root) },
            DoctorCheck("root", "journal") { RootChecks.journal(root) },
            DoctorCheck("network", "name servers") { await NetworkChecks.nameServers(names) },
            DoctorCheck("network", "localhost") { await NetworkChecks.localhost(names) },
            socket,
            DoctorCheck("network", "certificates") { NetworkChecks.certificates(caFile, hostFiles) },
            DoctorCheck("network", "proxy") { await proxy?.look() ?? .ok("none is configured") },
            DoctorCheck("network", "public URL") { await publicURL?.look() ?? .ok("none is configured") },
            openFiles,
            DoctorCheck("limits", "processes") { LimitChecks.processes() },
            DoctorCheck("limits", "inotify") { LimitChecks.inotify() },
            memory,
            DoctorCheck("limits", "cores") { LimitChecks.cores() },
        ]
    }

    /// Runs the checks one after the other, and returns their findings.
    static func examine(_ checks: [DoctorCheck]) async throws(CommandFailure) -> [Finding] {
        let doctor: Doctor
        do throws(SystemError) { doctor = try Doctor() } catch {
            throw CommandFailure(.failed, "the thread of doctor cannot be started: \(error)")
        }
        var findings: [Finding] = []
        for check in checks { findings.append(await doctor.finding(of: check)) }
        doctor.loop.shutdown()
        return findings
    }

    private func finding(of check: DoctorCheck) async -> Finding {
        Finding(area: check.area, name: check.name, answer: await check.look())
    }
}
