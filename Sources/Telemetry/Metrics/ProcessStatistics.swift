import Glibc

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
