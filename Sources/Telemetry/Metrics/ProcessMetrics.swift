import LinuxIO

/// The metrics of this process that the kernel reports, under the names that Prometheus' client libraries share.
package enum ProcessMetrics {
    /// Returns the metrics, as a source for a registry. A value that /proc does not have is left out.
    @Sendable package static func families() -> [MetricFamily] {
        let own = (try? FileSystem.contents(of: "/proc/self/stat")).flatMap {
            ProcessStatistics(String(decoding: $0, as: UTF8.self))
        }
        let boot = (try? FileSystem.contents(of: "/proc/stat")).flatMap {
            bootTime(in: String(decoding: $0, as: UTF8.self))
        }
        let open = ProcessDescriptors.open.map(Double.init)
        var families: [MetricFamily] = []
        func add(_ name: String, _ kind: MetricKind, _ value: Double?, _ help: String) {
            guard let value else { return }
            families.append(MetricFamily(name: name, kind: kind, help: help, samples: [.init(value: value)]))
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

    /// Returns the seconds from 1970 to the start of the system, `btime` of /proc/stat (proc(5)); `nil` if the line is
    /// missing.
    static func bootTime(in text: String) -> Double? {
        text.split(separator: "\n").first { $0.hasPrefix("btime ") }.flatMap { Double($0.dropFirst(6)) }
    }
}
