import Base
import FeatureKit
import LinuxIO
import NotificationModel
import ServiceConfiguration

/// The checks of the resources that this process may use.
enum LimitChecks {
    private static let neededProcesses: UInt64 = 256
    /// The maximum memory of one worker's job, in bytes. `daemonBytes` is the memory of the daemon itself under load.
    private static let bytesPerWorker: UInt64 = 256 << 20
    private static let daemonBytes: UInt64 = 256 << 20

    /// Checks the limit of open files, which a daemon divides by its configuration.
    static func openFiles(_ configuration: Configuration) -> Answer {
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
        return openFiles >= wanted ? .ok(found) : .warning("\(found); \(wanted) permit all", remedy: remedy)
    }

    static func processes() -> Answer {
        let soft = SoftAndHardLimit.of(.processes)?.soft
        return .ok(
            "up to \(soft.map(String.init) ?? "any number") of this user", if: soft ?? .max >= neededProcesses,
            else: "Raise the limit: LimitNPROC=\(neededProcesses) in the unit, or ulimit -u.")
    }

    static func inotify() -> Answer {
        let directory = "/proc/sys/fs/inotify/"
        guard let watches = WatchBudget.ofUser, let instances = number(in: directory + "max_user_instances") else {
            return .failed("the kernel has no inotify", remedy: "Run on a kernel with inotify: the spool needs it.")
        }
        let found =
            "\(watches) watches for this user, of which a daemon takes \(WatchBudget.ofDaemon) for "
            + "\(WatchBudget.ofDaemon / 2) app groups; \(instances) instances"
        return .ok(
            found, if: watches >= 1_024 && instances >= 16,
            else: "sysctl fs.inotify.max_user_watches=8192 fs.inotify.max_user_instances=128")
    }

    /// Checks the memory of the machine or of the control group. A limit leaves a daemon less room for large payloads.
    static func memory(_ configuration: Configuration) -> Answer {
        // The pool runs two workers more than the machine has cores: one for short jobs, and one for warming.
        let workers = ProcessorCount.current + 2
        let limit = ControlGroupMemory.limit()
        let needed = daemonBytes + UInt64(workers) * bytesPerWorker
        let amounts = [limit.map { (UInt64($0), "of the control group") }, machine().map { ($0, "of the machine") }]
        guard let (bytes, whose) = amounts.compactMap(\.self).min(by: { $0.0 < $1.0 }) else {
            return .warning("the amount of memory is unknown", remedy: "Mount /proc.")
        }
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

    static func cores() -> Answer {
        .ok("\(ProcessorCount.current) online, and the same number of workers")
    }

    // MARK: Reading

    private static func number(in path: String) -> UInt64? { FileSystem.firstLine(of: path).flatMap { UInt64($0) } }

    private static func machine() -> UInt64? {
        guard let words = FileSystem.firstLine(of: "/proc/meminfo")?.split(separator: " ") else { return nil }
        return words.count == 3 && words[0] == "MemTotal:" ? UInt64(words[1]).map { $0 << 10 } : nil
    }
}
