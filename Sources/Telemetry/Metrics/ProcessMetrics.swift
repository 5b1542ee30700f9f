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
