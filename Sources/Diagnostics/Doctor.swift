package import CommandSupport
import Composition
import LinuxIO
import MediaFetcher
import Sandbox
package import ServiceConfiguration

/// The examination of this machine: a list of checks, in the order in which they are reported.
///
/// Each check is a function that examines one property and returns what it has found. Checks do not depend on each
/// other, and do not repair anything. If a check cannot find an answer, this is a finding, too. The checks run one
/// after the other on a thread of their own, because most of them ask the kernel or the disk.
package actor Doctor {
    private nonisolated let loop: EventLoop

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init() throws(SystemError) { loop = try EventLoop.start(name: "agd-doctor") }

    /// Returns all checks in the order of the report.
    ///
    /// - Throws: A failure with status 2 if the options of the workers cannot be used.
    private static func checks(_ configuration: Configuration) throws(CommandFailure) -> [DoctorCheck] {
        let root = configuration.root
        let policy = FetchPolicy(configuration)
        let hostFiles = configuration.fetch.hosts.values.compactMap(\.caFile).sorted()
        let trial = RootTrial(root: root)
        let workers = WorkerChecks(options: try WorkerOptions(configuration))
        let proxy = ProxyTrial(configuration)
        let publicURL = PublicURLTrial(configuration)
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
            DoctorCheck("network", "name servers") { await NetworkChecks.nameServers(policy.resolver) },
            DoctorCheck("network", "localhost") { await NetworkChecks.localhost(policy.resolver) },
            DoctorCheck("network", "socket") { NetworkChecks.socket(configuration) },
            DoctorCheck("network", "certificates") { NetworkChecks.certificates(policy.caFile, hostFiles) },
            DoctorCheck("network", "proxy") { await proxy?.look() ?? .ok("none is configured") },
            DoctorCheck("network", "public URL") { await publicURL?.look() ?? .ok("none is configured") },
            DoctorCheck("limits", "open files") { LimitChecks.openFiles(configuration) },
            DoctorCheck("limits", "processes") { LimitChecks.processes() },
            DoctorCheck("limits", "inotify") { LimitChecks.inotify() },
            DoctorCheck("limits", "memory") { LimitChecks.memory(configuration) },
            DoctorCheck("limits", "cores") { LimitChecks.cores() },
        ]
    }

    /// Runs all checks, one after the other, with the configuration of the daemon.
    ///
    /// - Throws: A failure with status 2 if the options of the workers cannot be used. A failure with status 1 if no
    ///   thread can be started.
    package static func examine(_ configuration: Configuration) async throws(CommandFailure) -> DoctorReport {
        let checks = try checks(configuration)
        let doctor: Doctor
        do throws(SystemError) { doctor = try Doctor() } catch {
            throw CommandFailure(.failed, "the thread of doctor cannot be started: \(error)")
        }
        var findings: [Finding] = []
        for check in checks { findings.append(await doctor.finding(of: check)) }
        doctor.loop.shutdown()
        return DoctorReport(findings: findings)
    }

    private func finding(of check: DoctorCheck) async -> Finding {
        Finding(area: check.area, name: check.name, answer: await check.look())
    }
}
