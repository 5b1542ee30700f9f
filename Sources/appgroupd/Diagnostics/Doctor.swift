package import FeatureKit
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

    /// Runs all checks, one after the other, with the configuration of the daemon.
    ///
    /// - Throws: A failure with status 2 if the options of the workers cannot be used. A failure with status 1 if no
    ///   thread can be started.
    package static func examine(_ configuration: Configuration) async throws(CommandFailure) -> DoctorReport {
        let workers = WorkerChecks(options: try WorkerOptions(configuration))
        let doctor = try CommandFailure.wrapping("the thread of doctor cannot be started") { try Doctor() }
        let findings = await doctor.findings(configuration, workers)
        doctor.loop.shutdown()
        return DoctorReport(findings: findings)
    }

    private func findings(_ configuration: Configuration, _ workers: WorkerChecks) async -> [Finding] {
        let root = configuration.root
        let policy = FetchPolicy(configuration)
        let files = configuration.fetch.hosts.values.compactMap(\.caFile).sorted()
        let probe = RootProbe(root: root)
        let proxy = ProxyProbe(configuration)
        let publicURL = PublicURLProbe(configuration)
        return [
            Finding(area: "libraries", name: "libcurl", answer: LibraryChecks.curl()),
            Finding(area: "libraries", name: "tls", answer: LibraryChecks.tls()),
            Finding(area: "libraries", name: "asynchronous resolver", answer: LibraryChecks.resolver()),
            Finding(area: "libraries", name: "sqlite", answer: LibraryChecks.sqlite()),
            Finding(area: "worker", name: "ffmpeg", answer: workers.libraries()),
            Finding(area: "worker", name: "formats", answer: workers.formats()),
            Finding(area: "worker", name: "sandbox", answer: workers.sandbox()),
            Finding(area: "worker", name: "allowed calls", answer: workers.allowedCalls()),
            Finding(area: "worker", name: "job", answer: await workers.job()),
            Finding(area: "kernel", name: "seccomp", answer: KernelChecks.seccomp()),
            Finding(area: "kernel", name: "landlock", answer: KernelChecks.landlock()),
            Finding(area: "kernel", name: "process descriptors", answer: KernelChecks.processDescriptors()),
            Finding(area: "kernel", name: "memory files", answer: KernelChecks.memoryFiles()),
            Finding(area: "kernel", name: "clock", answer: KernelChecks.clock()),
            Finding(area: "root", name: "folder", answer: RootChecks.directory(root)),
            Finding(area: "root", name: "owner and mode", answer: RootChecks.ownerAndMode(root)),
            Finding(area: "root", name: "file system", answer: RootChecks.fileSystem(root)),
            Finding(area: "root", name: "free space", answer: RootChecks.freeSpace(root)),
            Finding(area: "root", name: "nameless files", answer: probe.namelessFiles()),
            Finding(area: "root", name: "links and moves", answer: probe.linksAndMoves()),
            Finding(area: "root", name: "durable writes", answer: probe.durableWrites()),
            Finding(area: "root", name: "daemon", answer: RootChecks.daemon(root)),
            Finding(area: "root", name: "journal", answer: RootChecks.journal(root)),
            Finding(area: "root", name: "versions", answer: RootChecks.versions(root)),
            Finding(area: "root", name: "batches", answer: RootChecks.batches(configuration)),
            Finding(area: "network", name: "name servers", answer: await NetworkChecks.nameServers(policy.resolver)),
            Finding(area: "network", name: "localhost", answer: await NetworkChecks.localhost(policy.resolver)),
            Finding(area: "network", name: "socket", answer: NetworkChecks.socket(configuration)),
            Finding(area: "network", name: "app groups", answer: GroupChecks.settings(configuration.groups)),
            Finding(area: "network", name: "callers", answer: AccessChecks.callers(configuration)),
            Finding(area: "network", name: "https certificate", answer: AccessChecks.certificate(configuration.tls)),
            Finding(area: "network", name: "certificates", answer: NetworkChecks.certificates(policy.caFile, files)),
            Finding(area: "network", name: "proxy", answer: await proxy?.look() ?? .ok("none is configured")),
            Finding(area: "network", name: "public URL", answer: await publicURL?.look() ?? .ok("none is configured")),
            Finding(area: "limits", name: "open files", answer: LimitChecks.openFiles(configuration)),
            Finding(area: "limits", name: "descriptors", answer: await DescriptorChecks.use(configuration)),
            Finding(area: "limits", name: "processes", answer: LimitChecks.processes()),
            Finding(area: "limits", name: "inotify", answer: LimitChecks.inotify()),
            Finding(area: "limits", name: "memory", answer: LimitChecks.memory(configuration)),
            Finding(area: "limits", name: "cores", answer: LimitChecks.cores()),
        ]
    }
}
