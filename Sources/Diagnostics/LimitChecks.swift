import Composition
import LinuxIO
import NotificationModel
import ServiceConfiguration

/// The checks of the resources that this process may use.
enum LimitChecks {
    private static let neededProcesses: UInt64 = 256
    /// The maximum memory of one worker's job, in bytes. `daemonBytes` is the memory of the daemon itself under load.
    private static let bytesPerWorker: UInt64 = 256 << 20
    private static let daemonBytes: UInt64 = 256 << 20

    /// Checks the limit of open files.
    ///
    /// - Parameter configuration: The configuration of the daemon, which decides how the daemon divides its
    ///   descriptors.
    static func openFiles(_ configuration: Configuration) -> DoctorCheck.Answer {
        guard let limit = SoftAndHardLimit.of(.openFiles) else {
            return .warning("the limit cannot be read", remedy: "Permit getrlimit in the container.")
        }
        // The program raises its soft limit to the hard limit at its start.
        let openFiles = limit.hard.map { Int(clamping: $0) } ?? .max
        let remedy = "Raise the hard limit: LimitNOFILE=65536 in the unit, or ulimit -Hn."
        if let problem = DescriptorBudget.problem(with: configuration, openFiles: openFiles) {
            return .failed(String(problem.prefix { $0 != ":" }), remedy: remedy)
        }
        let budget = DescriptorBudget(configuration, openFiles: openFiles)
        let found = "up to \(limit.hard.map(String.init) ?? "any number"), for \(budget.words)"
        let wanted = DescriptorBudget.wanted(configuration)
        guard openFiles >= wanted else { return .warning("\(found); \(wanted) permit all", remedy: remedy) }
        return .ok(found)
    }

    static func processes() -> DoctorCheck.Answer {
        let soft = SoftAndHardLimit.of(.processes)?.soft
        let found = "up to \(soft.map(String.init) ?? "any number") of this user"
        guard soft ?? .max >= neededProcesses else {
            return .warning(found, remedy: "Raise the limit: LimitNPROC=\(neededProcesses) in the unit, or ulimit -u.")
        }
        return .ok(found)
    }

    static func inotify() -> DoctorCheck.Answer {
        let directory = "/proc/sys/fs/inotify/"
        guard let watches = WatchBudget.ofUser, let instances = number(in: directory + "max_user_instances")
        else {
            return .failed("the kernel has no inotify", remedy: "Run on a kernel with inotify: the spool needs it.")
        }
        let found =
            "\(watches) watches for this user, of which a daemon takes \(WatchBudget.ofDaemon) for "
            + "\(WatchBudget.ofDaemon / 2) app groups; \(instances) instances"
        guard watches >= 1_024, instances >= 16 else {
            return .warning(found, remedy: "sysctl fs.inotify.max_user_watches=8192 fs.inotify.max_user_instances=128")
        }
        return .ok(found)
    }

    /// Checks the memory of the machine or of the control group.
    ///
    /// - Parameter configuration: The configuration of the daemon, which has less room for large payloads under a
    ///   memory limit.
    static func memory(_ configuration: Configuration) -> DoctorCheck.Answer {
        // The pool runs two workers more than the machine has cores: one for short jobs beside long jobs, and one for
        // warming.
        let workers = ProcessorCount.current + 2
        let limit = ControlGroupMemory.limit()
        let needed = daemonBytes + UInt64(workers) * bytesPerWorker
        guard
            let (bytes, whose) = [
                limit.map { (UInt64($0), "of the control group") }, machine().map { ($0, "of the machine") },
            ]
            .compactMap(\.self).min(by: { $0.0 < $1.0 })
        else { return .warning("the amount of memory is unknown", remedy: "Mount /proc.") }
        let payloadMemory = PayloadMemory(configuration, memoryLimit: limit)
        let reduced = payloadMemory.reducingLimit.map { _ in
            ", which leaves \(HumanText.bytes(payloadMemory.largeBodyBytes)) for large payloads"
        }
        let found = "\(HumanText.bytes(Int(clamping: bytes))) \(whose)" + (reduced ?? "")
        guard bytes >= needed else {
            return .warning(
                "\(found); \(workers) workers may need \(HumanText.bytes(Int(clamping: needed)))",
                remedy: "Raise the limit (MemoryMax=), or run fewer workers (--workers).")
        }
        return .ok(found)
    }

    static func cores() -> DoctorCheck.Answer {
        .ok("\(ProcessorCount.current) online, and the same number of workers")
    }

    // MARK: Reading

    private static func number(in path: String) -> UInt64? { FileSystem.firstLine(of: path).flatMap { UInt64($0) } }

    private static func machine() -> UInt64? {
        guard let words = FileSystem.firstLine(of: "/proc/meminfo")?.split(separator: " ") else { return nil }
        return words.count == 3 && words[0] == "MemTotal:" ? UInt64(words[1]).map { $0 << 10 } : nil
    }
}
