import LinuxIO
import NameResolution
import Sandbox

/// What works on this machine and what does not: the list of all that is looked at, in the order in which it is told.
///
/// Each check is one function that looks at one thing and says what it found; none depends on another, none mends
/// anything, and whatever a check cannot find out is a finding too. They run one after the other on a thread of their
/// own, because most of them ask the kernel or the disk.
actor Doctor {
    private nonisolated let loop: EventLoop

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init() throws(SystemError) { loop = try EventLoop.start(name: "agd-doctor") }

    /// - Parameters:
    ///   - worker: how workers are started.
    ///   - names: how the daemon asks for names.
    ///   - caFile: `fetch.caFile`; `nil`: the system's certificates count.
    ///   - hostFiles: the files of `fetch.hosts`.
    ///   - proxy: the trial of `fetch.proxy`, if one is configured.
    ///   - publicURL: the trial of `publicURL`, if one is configured.
    ///   - socket: the check of the daemon's socket.
    ///   - openFiles: the check of the limit of open files.
    ///   - memory: the check of the memory limit.
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

    /// Looks at one thing after the other.
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
