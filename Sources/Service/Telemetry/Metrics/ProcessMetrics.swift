import Glibc
import LinuxIO

/// The metrics of this process that the kernel reports, under the names that Prometheus' client libraries share.
package enum ProcessMetrics {
    /// Returns the metrics, as a source for a registry. A value that /proc does not have is left out.
    @Sendable package static func families() -> [MetricFamily] {
        func text(of path: String) -> String? {
            (try? FileSystem.contents(of: path)).map { String(decoding: $0, as: UTF8.self) }
        }
        let own = text(of: "/proc/self/stat").flatMap { ProcessStatistics($0) }
        let boot = text(of: "/proc/stat").flatMap(bootTime)
        let open = ProcessDescriptors.open.map(Double.init)
        var families: [MetricFamily] = []
        func add(_ name: String, _ kind: MetricKind, _ value: Double?, _ help: String) {
            if let value { families.append(MetricFamily(name, kind, value, help: help)) }
        }
        add(
            "process_cpu_seconds_total", .counter, own?.processorSeconds,
            "Total user and system CPU time spent in seconds.")
        add("process_max_fds", .gauge, Double(ResourceLimits.openFiles), "Maximum number of open file descriptors.")
        add("process_open_fds", .gauge, open, "Number of open file descriptors.")
        add("process_resident_memory_bytes", .gauge, own?.residentBytes, "Resident memory size in bytes.")
        add(
            "process_start_time_seconds", .gauge, own.flatMap { own in boot.map { $0 + own.startSeconds } },
            "Start time of the process since unix epoch in seconds.")
        add("process_threads", .gauge, own?.threads, "Number of OS threads in the process.")
        add("process_virtual_memory_bytes", .gauge, own?.virtualBytes, "Virtual memory size in bytes.")
        return families
    }

    /// Returns the start of the system in seconds since 1970, `btime` of /proc/stat (proc(5)); `nil` if it is missing.
    static func bootTime(in text: String) -> Double? {
        text.split(separator: "\n").first { $0.hasPrefix("btime ") }.flatMap { Double($0.dropFirst(6)) }
    }
}

/// The fields of /proc/PID/stat (proc(5)).
struct ProcessStatistics: Equatable {
    var processorSeconds: Double
    var threads: Double
    /// The time from the start of the system to the start of the process, in seconds.
    var startSeconds: Double
    var virtualBytes: Double
    var residentBytes: Double

    /// Parses the line of /proc/PID/stat.
    ///
    /// - Parameter ticks: The number of clock ticks in a second.
    /// - Parameter pageBytes: The number of bytes of a memory page.
    /// - Returns: `nil` if a field is missing.
    init?(_ line: String, ticks: Int = sysconf(Int32(_SC_CLK_TCK)), pageBytes: Int = sysconf(Int32(_SC_PAGESIZE))) {
        // The second field is the program's name in parentheses. The name may itself have spaces and parentheses.
        guard let nameEnd = line.lastIndex(of: ")"), ticks > 0 else { return nil }
        let fields = line[line.index(after: nameEnd)...].split { $0 == " " || $0 == "\n" }
        // The first field of this list is the third field of the manual page.
        func field(_ number: Int) -> Double? { number - 3 < fields.count ? Double(fields[number - 3]) : nil }
        guard let user = field(14), let system = field(15), let threads = field(20), let start = field(22),
            let virtual = field(23), let resident = field(24)
        else { return nil }
        processorSeconds = (user + system) / Double(ticks)
        self.threads = threads
        startSeconds = start / Double(ticks)
        virtualBytes = virtual
        residentBytes = resident * Double(pageBytes)
    }
}
